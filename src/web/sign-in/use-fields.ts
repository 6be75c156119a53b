// The fields of a small form, each with a rule that is checked on submit. `@mantine/form` would add a twentieth to the size of the first page.

import { type FormEvent, useState } from 'react'

type Rule = (value: string) => string | null

interface Fields<Name extends string> {
  /** The properties of an input: its name and its error. */
  field(name: Name): { name: Name; error: string | undefined; onChange(): void }
  onSubmit(event: FormEvent<HTMLFormElement>): void
}

/** `send` gets a function that returns a field's value. If a rule fails, the first wrong field gets the focus and `send` is not called. */
export function useFields<Name extends string>(
  rules: readonly (readonly [name: Name, rule: Rule])[],
  send: (value: (name: Name) => string) => void,
): Fields<Name> {
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map())
  return {
    field: name => ({
      name,
      error: errors.get(name),
      onChange: () => setErrors(before => (before.has(name) ? new Map([...before].filter(([other]) => other !== name)) : before)),
    }),
    onSubmit(event) {
      event.preventDefault()
      const form = event.currentTarget
      const given = new FormData(form)
      const value = (name: Name) => {
        const entry = given.get(name)
        return typeof entry === 'string' ? entry : ''
      }
      const wrong = rules.flatMap(([name, rule]) => {
        const error = rule(value(name))
        return error === null ? [] : [[name, error] as const]
      })
      setErrors(new Map(wrong))
      const first = wrong[0] && form.elements.namedItem(wrong[0][0])
      if (first instanceof HTMLElement) first.focus()
      if (wrong.length === 0) send(value)
    },
  }
}
