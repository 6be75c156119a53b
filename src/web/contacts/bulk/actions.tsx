// Actions on the selected contacts: tags, owner, stage, tasks, calls, enrichment, deletion, restoration.

import { Button, Menu, Popover, ScrollArea, Stack, TagsInput, Text } from '@mantine/core'
import { IconArrowBackUp, IconSparkles, IconTag, IconTrash, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useOwners, useTagNames } from '../../contact-record/fields/choices.ts'
import { RecipesToChooseDocument } from '../../generated/documents/contact-record-fields.ts'
import { ContactsCountDocument } from '../../generated/documents/contacts.ts'
import type { ContactFilter, ContactRowFragment } from '../../generated/operations.ts'
import { nounWords } from '../../language/en/values.ts'
import { countText } from '../../language/format.ts'
import { confirm } from '../../pieces/confirm.tsx'
import { amount } from '../../pieces/money.tsx'
import type { Selection } from '../../table/use-selection.ts'
import { TaskAction } from './task-action.tsx'
import { type Chosen, useBulk } from './use-bulk.tsx'
import { CallAction, StageAction } from './value-actions.tsx'

interface BulkActionsProps {
  selection: Selection
  filter: ContactFilter
  rows: readonly Pick<ContactRowFragment, 'id' | 'deletedAt'>[]
  total: number | null | undefined
  isDisabled: boolean
  onStarted(): void
}

export default function BulkActions({ isDisabled, onStarted, ...selected }: BulkActionsProps) {
  const bulk = useBulk()
  const { live, deleted, liveCount } = useChosen(selected)
  const onStart = (isStarted: boolean) => {
    if (isStarted) onStarted()
  }
  const restore = deleted && (
    <Button
      variant="subtle"
      disabled={isDisabled}
      leftSection={<IconArrowBackUp />}
      onClick={() => void bulk.restore(deleted).then(onStart)}
    >
      Restore
    </Button>
  )
  if (!live) return restore
  const contacts = liveCount === null ? 'all that match' : countText(liveCount, nounWords.contact)
  const askToDelete = () =>
    confirm({
      title: `Delete ${contacts}?`,
      loses:
        'They leave every list, with their notes, tasks and calls. They are kept under "Deleted contacts", where they can be restored.',
      verb: `Delete ${contacts}`,
      onConfirm: () => void bulk.remove(live).then(onStart),
    })
  return (
    <>
      {restore}
      <TagAction isDisabled={isDisabled} onTag={change => void bulk.change(live, change).then(onStart)} />
      <OwnerAction isDisabled={isDisabled} onChoose={ownerUserId => void bulk.change(live, { ownerUserId }).then(onStart)} />
      <StageAction isDisabled={isDisabled} onChoose={lifecycleStage => void bulk.change(live, { lifecycleStage }).then(onStart)} />
      <TaskAction isDisabled={isDisabled} contacts={contacts} onAdd={task => void bulk.addTask(live, task).then(onStart)} />
      <CallAction isDisabled={isDisabled} onChoose={doNotCall => void bulk.change(live, { doNotCall }).then(onStart)} />
      <EnrichAction isDisabled={isDisabled} onChoose={recipe => void bulk.enrich(live, recipe).then(onStart)} />
      <Button variant="subtle" color="red" disabled={isDisabled} leftSection={<IconTrash />} onClick={askToDelete}>
        Delete
      </Button>
    </>
  )
}

/** The live and the deleted contacts of the selection; null for none. An action applies to one of the two. */
function useChosen({ selection: { ids, isEverything }, filter, rows, total }: Omit<BulkActionsProps, 'isDisabled' | 'onStarted'>) {
  const { includeDeleted, onlyDeleted, ...others } = filter
  const isMixed = includeDeleted === true && onlyDeleted !== true
  const [{ data }] = useQuery({ query: ContactsCountDocument, variables: { filter: others }, pause: !isMixed || !isEverything })
  if (isEverything) {
    const liveCount = (isMixed ? data?.contacts.totalCount : total) ?? null
    return {
      live: onlyDeleted || liveCount === 0 ? null : { filter: others },
      deleted: onlyDeleted || isMixed ? { filter: others } : null,
      liveCount,
    }
  }
  const areDeleted = new Set(rows.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id))
  const { deleted = [], live = [] } = Object.groupBy(ids, id => (areDeleted.has(id) ? 'deleted' : 'live'))
  const choiceOf = (some: string[]): Chosen | null => (some.length > 0 ? { ids: some } : null)
  return { live: choiceOf(live), deleted: choiceOf(deleted), liveCount: live.length }
}

function TagAction({ isDisabled, onTag }: { isDisabled: boolean; onTag(change: { addTags?: string[]; removeTags?: string[] }): void }) {
  const [isOpen, setOpen] = useState(false)
  const [added, setAdded] = useState<string[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  // A new tag that is typed and not entered counts as well.
  const [typed, setTyped] = useState('')
  const toAdd = [...new Set([...added, typed.trim()])].filter(name => name !== '')
  const names = useTagNames()
  const apply = () => {
    setOpen(false)
    setAdded([])
    setRemoved([])
    setTyped('')
    onTag({ ...(toAdd.length > 0 && { addTags: toAdd }), ...(removed.length > 0 && { removeTags: removed }) })
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconTag />} onClick={() => setOpen(!isOpen)}>
          Tag
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Tags">
        <Stack gap="sm">
          <TagsInput
            label="Add tags"
            data={[...names]}
            value={added}
            onChange={setAdded}
            searchValue={typed}
            onSearchChange={setTyped}
            acceptValueOnBlur
            data-autofocus
            comboboxProps={{ withinPortal: false }}
          />
          <TagsInput
            label="Remove tags"
            data={[...names]}
            value={removed}
            onChange={setRemoved}
            acceptValueOnBlur
            comboboxProps={{ withinPortal: false }}
          />
          <Button onClick={apply} disabled={toAdd.length + removed.length === 0}>
            Change tags
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function OwnerAction({ isDisabled, onChoose }: { isDisabled: boolean; onChoose(ownerUserId: string | null): void }) {
  const owners = useOwners()
  return (
    <Menu position="top">
      <Menu.Target>
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconUser />}>
          Owner
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={320} type="auto">
          {owners.map(({ value, label }) => (
            <Menu.Item key={value} onClick={() => onChoose(value)}>
              {label}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item onClick={() => onChoose(null)}>Nobody</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function EnrichAction({ isDisabled, onChoose }: { isDisabled: boolean; onChoose(recipe: string): void }) {
  const [{ data }] = useQuery({ query: RecipesToChooseDocument })
  const recipes = (data?.recipes.nodes ?? []).filter(({ kinds }) => kinds === null || kinds.includes('contact'))
  return (
    <Menu position="top">
      <Menu.Target>
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconSparkles />}>
          Enrich
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {recipes.map(({ name, title, price, unavailable }) => (
          <Menu.Item key={name} disabled={unavailable !== null} onClick={() => onChoose(name)}>
            {title}
            <Text size="xs" c="dimmed">
              {unavailable !== null ? 'not set up' : price > 0 ? `${amount(price)} for each contact` : 'free'}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
