// A form that runs one mutation. The server's problems appear at their fields, and the first field gets the focus. The text is kept, also over a
// sign-in.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import type { Failure } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { laterWords } from '../language/en/shared/later.ts'
import { dropDraft, keepDraft, readDraft } from '../session/drafts.ts'
import { fieldErrors } from './field-errors.tsx'

interface WriteFormOptions<Values extends object, Data, Variables extends object> {
  document: TypedDocumentNode<Data, Variables>
  initialValues: Values
  validate?: UseFormInput<Values>['validate']
  /** Problems between several values, by field. Called when the form is submitted, not while somebody types. */
  refuse?: ((values: Values) => Record<string, string> | null) | undefined
  toVariables(values: Values): Variables
  /** Keeps the typed values in this tab until they are saved, under this name. Not for secrets. */
  draft?: string | undefined
  /** Called after PRECONDITION_FAILED. Resolves with true when the form may send its present values again. */
  onConflict?: () => Promise<boolean>
  onWritten(data: Data): void
}

/** Typed values from before, with which the form has begun. */
export interface RestoredDraft {
  /** Takes them away: the form then has the saved values, or none. */
  discard(): void
}

export interface WriteForm<Values extends object> {
  form: UseFormReturnType<Values>
  onSubmit(event?: FormEvent<HTMLFormElement>): void
  isRunning: boolean
  /** A failure outside of all fields; null when every problem stands at its field. */
  failure: Failure | null
  /** Null when the form has begun without a draft, and after it is saved. */
  restored: RestoredDraft | null
}

export function useWriteForm<Values extends object, Data, Variables extends object>(
  options: WriteFormOptions<Values, Data, Variables>,
): WriteForm<Values> {
  const { document, initialValues, validate, refuse, toVariables, draft, onConflict, onWritten } = options
  const { run, isRunning, failure } = useMutationWithProblems(document)
  const first = useRef<Values>(null)
  first.current ??= draft ? { ...initialValues, ...readDraft<Values>(draft) } : initialValues
  const [isRestored, setRestored] = useState(() => draft !== undefined && isOther(first.current, initialValues))
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: first.current,
    validate,
    // Without a validation of its own, leaving an input would only remove the server's problem, and the link in it.
    validateInputOnBlur: validate !== undefined,
    // Adds the key to `form.getInputProps('name')`: an input shows a new value only under a new key. A field whose check refuses an empty value is
    // marked as required.
    enhanceGetInputProps: ({ form: { key, getValues }, field }) => ({
      key: key(field),
      required: isRequired({ validate, refuse }, String(field), getValues()),
    }),
    onValuesChange: values => draft && keepDraft(draft, values),
  })

  const write = async (values: Values): Promise<void> => {
    const { data, failure: failed } = await run(toVariables(values))
    if (!failed) {
      if (draft) dropDraft(draft)
      setRestored(false)
      return onWritten(data)
    }
    if (failed.code === 'PRECONDITION_FAILED' && (await onConflict?.())) return write(form.getValues())
    const errors = fieldErrors(failed)
    form.setErrors(errors)
    focus(form, Object.keys(errors))
  }
  const unplaced = failure && !isPlaced(form, failure) ? failure : null
  const submit = form.onSubmit(
    values => {
      const refused = refuse?.(values)
      if (!refused) return void write(values)
      form.setErrors(refused)
      focus(form, Object.keys(refused))
    },
    errors => focus(form, Object.keys(errors)),
  )
  const onSubmit = (event?: FormEvent<HTMLFormElement>) => {
    const half = halfTyped(form)
    if (half.length === 0) return submit(event)
    event?.preventDefault()
    form.setErrors({ ...form.errors, ...Object.fromEntries(half) })
    focus(
      form,
      half.map(([path]) => path),
    )
  }
  const discard = () => {
    form.setValues(initialValues)
    form.clearErrors()
    if (draft) dropDraft(draft)
    setRestored(false)
  }
  return { form, onSubmit, isRunning, failure: unplaced, restored: isRestored ? { discard } : null }
}

const isOther = <Values extends object>(one: Values | null, other: Values) => JSON.stringify(one) !== JSON.stringify(other)

/** Whether the form refuses an empty value of a text field, whatever the other fields have. */
function isRequired<Values extends object>(
  checks: Pick<WriteFormOptions<Values, never, never>, 'validate' | 'refuse'>,
  field: string,
  values: Values,
): boolean {
  const value = values[field as keyof Values]
  if (typeof value !== 'string' && value !== null) return false
  const empty = value === null ? null : ''
  const others = Object.entries(values).map(([name, other]) => [name, other === '' || other === null ? 'x' : other])
  const filled = { ...(Object.fromEntries(others) as Values), [field]: empty }
  const all: Readonly<Record<string, unknown>> = typeof checks.validate === 'object' ? { ...checks.validate } : {}
  const check = all[field]
  if (typeof check === 'function' && check(empty, filled, field) != null) return true
  return checks.refuse?.(filled)?.[field] !== undefined
}

/** Inputs with half a date. The browser reports their value as empty, and writing it would clear the stored value. */
function halfTyped<Values extends object>(form: UseFormReturnType<Values>): [string, string][] {
  return Object.keys(form.getValues()).flatMap((path): [string, string][] => {
    const node = form.getInputNode(path)
    if (!(node instanceof HTMLInputElement) || !node.validity.badInput) return []
    return [[path, node.type === 'date' ? laterWords.half.date : laterWords.half.moment]]
  })
}

/** Whether every problem of the failure stands at a field of the form. */
function isPlaced<Values extends object>(form: UseFormReturnType<Values>, failure: Failure): boolean {
  const paths = Object.keys(fieldErrors(failure))
  return paths.length > 0 && paths.every(path => form.getInputNode(path) !== null)
}

function focus<Values extends object>(form: UseFormReturnType<Values>, paths: readonly string[]): void {
  for (const path of paths) {
    const node = form.getInputNode(path)
    if (!node) continue
    node.focus()
    return
  }
}
