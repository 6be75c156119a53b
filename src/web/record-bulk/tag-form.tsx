// Tags to add to the selected records, and tags to remove from them. Enter in a field changes the records at once; a comma adds one more tag.

import { Button, Stack, TagsInput, type TagsInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTagNames } from '../contact-record/fields/choices.ts'
import { highlightedOption } from '../keyboard/highlighted.ts'
import { contactWords } from '../language/en/contacts.ts'

interface Typed {
  tags: readonly string[]
  /** The text in the input, which counts as a tag as well. */
  text: string
}

const nothing: Typed = { tags: [], text: '' }

export function TagForm({ onTag }: { onTag(change: { addTags?: string[]; removeTags?: string[] }): void }) {
  const [toAdd, setToAdd] = useState(nothing)
  const [toRemove, setToRemove] = useState(nothing)
  const names = useTagNames()
  const words = contactWords.bulk
  const submit = (add = toAdd, remove = toRemove) => {
    const [addTags, removeTags] = [all(add), all(remove)]
    if (addTags.length + removeTags.length > 0)
      onTag({ ...(addTags.length > 0 && { addTags }), ...(removeTags.length > 0 && { removeTags }) })
  }
  return (
    <Stack
      gap="sm"
      component="form"
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <Tags
        label={words.addTags}
        names={names}
        value={toAdd}
        onChange={change => setToAdd(typed => ({ ...typed, ...change }))}
        onEnter={added => submit(added)}
        data-autofocus
        hint={words.enterTags}
      />
      <Tags
        label={words.removeTags}
        names={names}
        value={toRemove}
        onChange={change => setToRemove(typed => ({ ...typed, ...change }))}
        onEnter={removed => submit(toAdd, removed)}
        hint={words.enterTags}
      />
      <Button
        type="submit"
        disabled={all(toAdd).length + all(toRemove).length === 0}
        // The input keeps the focus. Without it the hint would go, and the button would move away under the pointer.
        onMouseDown={event => event.preventDefault()}
      >
        {words.changeTags}
      </Button>
    </Stack>
  )
}

const all = ({ tags, text }: Typed) => [...new Set([...tags, text.trim()])].filter(name => name !== '')

interface TagsProps extends Omit<TagsInputProps, 'value' | 'onChange' | 'onEnter'> {
  names: readonly string[]
  value: Typed
  /** Leaving the input changes tags and text at once, so each change names only its own part. */
  onChange(change: Partial<Typed>): void
  onEnter(value: Typed): void
  /** Says which tag Enter takes. */
  hint(name: string): string
}

function Tags({ names, value, onChange, onEnter, hint, ...others }: TagsProps) {
  const { tags, text } = value
  const typed = text.trim()
  // The first tag that begins so, or a new one.
  const meant = names.find(name => typed !== '' && name.toLowerCase().startsWith(typed.toLowerCase())) ?? typed
  return (
    <TagsInput
      {...others}
      data={[...names]}
      value={[...tags]}
      onChange={next => onChange({ tags: next, text: '' })}
      searchValue={text}
      onSearchChange={next => onChange({ text: next })}
      acceptValueOnBlur
      description={typed === '' ? undefined : hint(meant)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      comboboxProps={{ withinPortal: false }}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing || highlightedOption()) return
        event.preventDefault()
        onEnter({ tags, text: meant })
      }}
    />
  )
}
