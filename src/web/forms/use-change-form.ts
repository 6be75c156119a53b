// A form for an object that other people may change at the same time. Their changes appear in fields that this person has not edited. A field
// that both have changed is a conflict, and the form cannot be saved before the person has resolved it. Only changed fields are written.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { UseFormInput } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { moveDraft } from '../session/drafts.ts'
import { useWriteForm, type WriteForm } from './use-write-form.ts'

interface Versioned {
  id: string
  version: number
}

interface ChangeFormOptions<Values extends object, Input extends object, Changed extends Versioned, Now, Data, Variables extends object> {
  /** The object as the page has it. Its fields may be older than its version. */
  object: Changed
  valuesOf(object: Changed): Values
  /** Turns the form's values into an input with the same names. */
  inputOf(values: Values): Input
  /** Reads the object with all its fields; null when it is deleted. */
  now: TypedDocumentNode<Now, { id: string }>
  pickNow(data: Now): Changed | null | undefined
  document: TypedDocumentNode<Data, Variables>
  toVariables(input: Partial<Input>, which: { id: string; ifVersion: number }): Variables
  pickWritten(data: Data): Changed
  validate?: UseFormInput<Values>['validate']
  /** Keeps the typed values in this tab until they are saved, under this name and the object's version. */
  draft?: string
  onWritten(object: Changed): void
}

export interface FieldConflict<Values extends object> {
  field: keyof Values
  theirs: Values
  keepYours(): void
  takeTheirs(): void
}

export interface ChangeForm<Values extends object> extends WriteForm<Values> {
  conflicts: readonly FieldConflict<Values>[]
}

export function useChangeForm<Values extends object, Input extends object, Changed extends Versioned, Now, Data, Variables extends object>(
  options: ChangeFormOptions<Values, Input, Changed, Now, Data, Variables>,
): ChangeForm<Values> {
  const { object, valuesOf, inputOf, now, pickNow, document, toVariables, pickWritten, validate, draft, onWritten } = options
  const client = useClient()
  const seenOf = (changed: Changed) => ({ version: changed.version, values: valuesOf(changed) })
  type Seen = ReturnType<typeof seenOf>
  // The state of the object that the person has seen: the form's values begin with it, and a write sends its version.
  const seen = useRef<Seen>(null)
  seen.current ??= seenOf(object)
  const sent = useRef(0)
  const [{ fields, latest }, setConflicts] = useState<{ fields: readonly string[]; latest: Seen }>({
    fields: [],
    latest: seen.current,
  })

  const write = useWriteForm<Values, Data, Variables>({
    document,
    initialValues: seen.current.values,
    validate,
    draft: draft && draftOf(seen.current.version),
    toVariables(values) {
      sent.current = current().version
      return toVariables(changesIn(values), { id: object.id, ifVersion: sent.current })
    },
    async onConflict() {
      await follow()
      return current().version !== sent.current
    },
    onWritten(data) {
      const written = pickWritten(data)
      const now = seenOf(written)
      const typed = write.form.getValues()
      // The server may store another text, for example without spaces at the ends. Values typed since the write stay.
      for (const field of Object.keys(now.values)) if (becomesSame(field, typed, now.values)) take(field, now.values)
      settle(now, [])
      onWritten(written)
    },
  })
  const isRefused = write.failure?.code === 'PRECONDITION_FAILED'

  // A change may bring only some fields of the object to the page, so all of it is read.
  const shown = JSON.stringify(seenOf(object))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each state of the object that reaches the page.
  useEffect(() => {
    if (shown !== JSON.stringify(current())) void follow()
  }, [shown])

  function current(): Seen {
    return seen.current ?? seenOf(object)
  }

  function draftOf(version: number): string {
    return `${draft} ${version}`
  }

  const isSame = (field: string, one: Values, other: Values) => textOf(one, field) === textOf(other, field)
  const becomesSame = (field: string, one: Values, other: Values) =>
    isSame(field, one, other) || textOf(inputOf(one), field) === textOf(inputOf(other), field)

  function changesIn(values: Values): Partial<Input> {
    const input = inputOf(values)
    const changes = Object.entries(input).filter(([field]) => !becomesSame(field, values, current().values))
    return changes.length > 0 ? (Object.fromEntries(changes) as Partial<Input>) : input
  }

  /** Reads the object, and takes over changes by other people. */
  async function follow(): Promise<void> {
    const { data } = await client.query(now, { id: object.id }, { requestPolicy: 'network-only' }).toPromise()
    const found = data && pickNow(data)
    if (!found) return
    const theirs = seenOf(found)
    const before = current().values
    const typed = write.form.getValues()
    const changed = Object.keys(theirs.values).filter(field => !isSame(field, theirs.values, before))
    const free = changed.filter(field => isSame(field, typed, before))
    for (const field of free) take(field, theirs.values)
    settle(
      theirs,
      changed.filter(field => !free.includes(field) && !becomesSame(field, typed, theirs.values)),
    )
  }

  // While there are conflicts, the version stays at the one that the person has seen, so the server would refuse a write.
  function settle(theirs: Seen, fields: readonly string[]): void {
    const before = current()
    const own = Object.fromEntries(fields.map(field => [field, before.values[field as keyof Values]]))
    seen.current = { version: fields.length > 0 ? before.version : theirs.version, values: { ...theirs.values, ...own } }
    if (draft) moveDraft(draftOf(before.version), draftOf(seen.current.version))
    setConflicts({ fields, latest: theirs })
  }

  function take(field: string, values: Values): void {
    if (isSame(field, write.form.getValues(), values)) return
    const value = values[field as keyof Values]
    // setFieldValue does not update the inputs inside of a list.
    if (Array.isArray(value)) write.form.setValues({ [field]: value } as unknown as Partial<Values>)
    else write.form.setFieldValue(field, value as never)
  }

  const conflicts = fields.map(field => {
    const others = fields.filter(other => other !== field)
    return {
      field: field as keyof Values,
      theirs: latest.values,
      keepYours() {
        settle(latest, others)
        if (isRefused && others.length === 0) write.onSubmit()
      },
      takeTheirs() {
        take(field, latest.values)
        settle(latest, others)
      },
    }
  })
  // The conflicts replace the server's refusal.
  return { ...write, failure: isRefused && fields.length > 0 ? null : write.failure, conflicts }
}

const textOf = (all: object, field: string) => JSON.stringify(all[field as keyof object])
