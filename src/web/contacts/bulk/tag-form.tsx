// Tags to add to the selected contacts, and tags to remove from them.

import { Button, Stack, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTagNames } from '../../contact-record/fields/choices.ts'
import { contactWords } from '../../language/en/contacts.ts'

export function TagForm({ onTag }: { onTag(change: { addTags?: string[]; removeTags?: string[] }): void }) {
  const [added, setAdded] = useState<string[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  // A tag that is typed and not entered counts as well.
  const [toAdd, setToAdd] = useState('')
  const [toRemove, setToRemove] = useState('')
  const names = useTagNames()
  const words = contactWords.bulk
  const addTags = withTyped(added, toAdd)
  const removeTags = withTyped(removed, toRemove)
  const submit = () => onTag({ ...(addTags.length > 0 && { addTags }), ...(removeTags.length > 0 && { removeTags }) })
  return (
    <Stack
      gap="sm"
      component="form"
      onSubmit={event => {
        event.preventDefault()
        submit()
      }}
    >
      <TagsInput
        label={words.addTags}
        data={[...names]}
        value={added}
        onChange={setAdded}
        searchValue={toAdd}
        onSearchChange={setToAdd}
        acceptValueOnBlur
        data-autofocus
        comboboxProps={{ withinPortal: false }}
      />
      <TagsInput
        label={words.removeTags}
        data={[...names]}
        value={removed}
        onChange={setRemoved}
        searchValue={toRemove}
        onSearchChange={setToRemove}
        acceptValueOnBlur
        comboboxProps={{ withinPortal: false }}
      />
      <Button type="submit" disabled={addTags.length + removeTags.length === 0}>
        {words.changeTags}
      </Button>
    </Stack>
  )
}

const withTyped = (tags: readonly string[], typed: string) => [...new Set([...tags, typed.trim()])].filter(name => name !== '')
