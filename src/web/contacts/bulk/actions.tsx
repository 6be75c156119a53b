// What can be done with the contacts that are selected: tags, owner, enrichment, deletion.

import { Button, Menu, Popover, ScrollArea, Stack, TagsInput, Text } from '@mantine/core'
import { IconSparkles, IconTag, IconTrash, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { useQuery } from 'urql'
import { useOwners, useTagNames } from '../../contact-record/fields/choices.ts'
import { RecipesToChooseDocument } from '../../generated/documents/contact-record-fields.ts'
import { confirm } from '../../pieces/confirm.tsx'
import { amount } from '../../pieces/money.tsx'
import { type Chosen, useBulk } from './use-bulk.tsx'

interface BulkActionsProps {
  chosen: Chosen
  count: number
  isDisabled: boolean
  onStarted(): void
}

export default function BulkActions({ chosen, count, isDisabled, onStarted }: BulkActionsProps) {
  const bulk = useBulk()
  const started = (isStarted: boolean) => {
    if (isStarted) onStarted()
  }
  const contacts = `${count.toLocaleString()} ${count === 1 ? 'contact' : 'contacts'}`
  const askToDelete = () =>
    confirm({
      title: `Delete ${contacts}?`,
      loses: 'They leave every list, with their notes, tasks and calls. This can be undone for 7 days.',
      verb: `Delete ${contacts}`,
      onConfirm: () => void bulk.remove(chosen).then(started),
    })
  return (
    <>
      <TagAction isDisabled={isDisabled} onTag={change => void bulk.change(chosen, change).then(started)} />
      <OwnerAction isDisabled={isDisabled} onChoose={ownerUserId => void bulk.change(chosen, { ownerUserId }).then(started)} />
      <EnrichAction isDisabled={isDisabled} onChoose={recipe => void bulk.enrich(chosen, recipe).then(started)} />
      <Button variant="subtle" color="red" disabled={isDisabled} leftSection={<IconTrash size={16} stroke={1.5} />} onClick={askToDelete}>
        Delete
      </Button>
    </>
  )
}

function TagAction({ isDisabled, onTag }: { isDisabled: boolean; onTag(change: { addTags?: string[]; removeTags?: string[] }): void }) {
  const [isOpen, setOpen] = useState(false)
  const [added, setAdded] = useState<string[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  const names = useTagNames()
  const apply = () => {
    setOpen(false)
    setAdded([])
    setRemoved([])
    onTag({ ...(added.length > 0 && { addTags: added }), ...(removed.length > 0 && { removeTags: removed }) })
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="top" shadow="md" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          disabled={isDisabled}
          leftSection={<IconTag size={16} stroke={1.5} />}
          onClick={() => setOpen(!isOpen)}
        >
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
          <Button onClick={apply} disabled={added.length + removed.length === 0}>
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
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconUser size={16} stroke={1.5} />}>
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
        <Button variant="subtle" color="gray" disabled={isDisabled} leftSection={<IconSparkles size={16} stroke={1.5} />}>
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
