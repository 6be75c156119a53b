// A form that writes by one mutation: problems come back to their fields, the first is focused, the text is kept, also over a sign-in.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useRef } from 'react'
import type { Failure } from '../data/failure.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { dropDraft, keepDraft, readDraft } from '../session/drafts.ts'
import { fieldErrors } from './field-errors.tsx'

interface WriteFormOptions<Values extends object, Data, Variables extends object> {
  document: TypedDocumentNode<Data, Variables>
  initialValues: Values
  validate?: UseFormInput<Values>['validate']
  /** Why the values cannot be written together, by field: asked when the form is submitted, and not while it is still filled in. */
  refuse?: ((values: Values) => Record<string, string> | null) | undefined
  toVariables(values: Values): Variables
  /** Keeps what was typed under this name, in this tab, until it is written. Not for secrets. */
  draft?: string | undefined
  /** After PRECONDITION_FAILED. Resolves with true when the form may be written again, with what it then holds. */
  onConflict?: () => Promise<boolean>
  onWritten(data: Data): void
}

export interface WriteForm<Values extends object> {
  form: UseFormReturnType<Values>
  onSubmit(event?: FormEvent<HTMLFormElement>): void
  isRunning: boolean
  /** What belongs to no field; null when every problem stands at its own. */
  failure: Failure | null
}

export function useWriteForm<Values extends object, Data, Variables extends object>(
  options: WriteFormOptions<Values, Data, Variables>,
): WriteForm<Values> {
  const { document, initialValues, validate, refuse, toVariables, draft, onConflict, onWritten } = options
  const { run, isRunning, failure } = useMutationWithProblems(document)
  const first = useRef<Values>(null)
  first.current ??= draft ? { ...initialValues, ...readDraft<Values>(draft) } : initialValues
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: first.current,
    validate,
    validateInputOnBlur: true,
    // `form.getInputProps('name')` is all that an input needs: with another key it shows a value that was set.
    enhanceGetInputProps: ({ form: { key }, field }) => ({ key: key(field) }),
    onValuesChange: values => draft && keepDraft(draft, values),
  })

  const write = async (values: Values): Promise<void> => {
    const { data, failure: failed } = await run(toVariables(values))
    if (!failed) {
      if (draft) dropDraft(draft)
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
  return { form, onSubmit, isRunning, failure: unplaced }
}

/** Inputs in which half a date stands, which the browser gives out as none: written, it would clear the value. */
function halfTyped<Values extends object>(form: UseFormReturnType<Values>): [string, string][] {
  return Object.keys(form.getValues()).flatMap((path): [string, string][] => {
    const node = form.getInputNode(path)
    if (!(node instanceof HTMLInputElement) || !node.validity.badInput) return []
    return [[path, node.type === 'date' ? 'Complete the date, or clear it' : 'Complete the date and the time, or clear both']]
  })
}

/** Whether everything that the failure says stands at a field of the form. */
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
