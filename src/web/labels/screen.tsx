// Labels: the organization's own words, each with a color. One is added, changed and deleted in the panel.

import { Button, ColorSwatch, Group, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { useConnection } from '../data/use-connection.ts'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { ChangeFormView } from '../forms/change-form-view.tsx'
import { useChangeForm } from '../forms/use-change-form.ts'
import { useWriteForm, type WriteForm } from '../forms/use-write-form.ts'
import { WriteFormView } from '../forms/write-form-view.tsx'
import { Header } from '../frame/header.tsx'
import { Panel } from '../frame/panel.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import {
  CreateLabelDocument,
  DeleteLabelDocument,
  LabelNowDocument,
  LabelsDocument,
  UpdateLabelDocument,
} from '../generated/documents/labels.ts'
import type { LabelRowFragment } from '../generated/operations.ts'
import { type LabelColor, labelColorValues } from '../generated/schema.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import type { Change } from '../live/change.ts'
import { confirm } from '../pieces/confirm.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { FailureAlert } from '../pieces/states/failure-alert.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { optionsOf, words } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import { useMe } from '../session/use-me.ts'
import type { Column } from '../table/columns.ts'
import { ListTable } from '../table/list-table.tsx'
import { labelsRoute } from './route.tsx'

type Label = LabelRowFragment

const variables = { first: 100 }
const isChangedBy = ({ type }: Change) => type.startsWith('LABEL_')

const columns: readonly Column<Label>[] = [
  { id: 'name', header: 'Name', width: 320, cell: ({ name }) => name },
  { id: 'color', header: 'Color', width: 160, cell: ({ color }) => <Color color={color} /> },
  { id: 'createdAt', header: 'Added', width: 160, cell: ({ createdAt }) => <Time at={createdAt} /> },
]

const Color = ({ color }: { color: LabelColor }) => (
  <Group component="span" gap={8} wrap="nowrap">
    <ColorSwatch component="span" size={12} color={`var(--mantine-color-${color.toLowerCase()}-6)`} withShadow={false} aria-hidden />
    {words(color)}
  </Group>
)

export function LabelsScreen() {
  const { open } = labelsRoute.useSearch()
  const navigate = useNavigate({ from: labelsRoute.fullPath })
  const [isNew, setNew] = useState(false)
  const { mayWrite, isGuest, isOff } = useMe()
  const list = useConnection({ document: LabelsDocument, variables, pick: data => data.labels, isChangedBy })
  const panel = usePanelAddress(open !== undefined, () => void navigate({ search: {}, replace: true }))
  const add = () => setNew(true)
  const close = () => (isNew ? setNew(false) : panel.close())
  const over = () => {
    close()
    list.refresh()
  }
  useShortcut('C', 'New label', add, { isOn: mayWrite })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={add}>
      {isGuest ? 'Sign up to add labels' : 'New label'}
    </Button>
  )
  return (
    <>
      <Header title="Labels" actions={create} />
      <DroppedFilters />
      <ListTable
        name="labels"
        label="Labels"
        columns={columns}
        list={list}
        onOpen={({ id }) => void navigate({ search: { open: id }, ...panel.opening })}
        openId={open}
        empty={<Empty sentence="Labels are your organization's own words, each with a color." action={create} />}
      />
      <Panel isOpen={isNew || open !== undefined} isInAddress={!isNew} onClose={close} title={isNew ? 'New label' : 'Label'} isForm={isNew}>
        {isNew ? <NewLabel onClose={close} onWritten={over} /> : open && <OpenLabel key={open} id={open} onClose={close} onOver={over} />}
      </Panel>
    </>
  )
}

interface Values {
  name: string
  color: LabelColor
}

const titles = { name: 'Name', color: 'Color' } satisfies Record<keyof Values, string>
const emptyLabel: Values = { name: '', color: 'GRAY' }
const valuesOf = ({ name, color }: Label): Values => ({ name, color })
const inputOf = ({ name, color }: Values) => ({ name: name.trim(), color })
const validate = { name: (name: string) => (name.trim() === '' ? 'Enter a name' : null) }

function Fields({ form }: Pick<WriteForm<Values>, 'form'>) {
  return (
    <>
      <TextInput label={titles.name} maxLength={50} data-autofocus {...form.getInputProps('name')} />
      <Select label={titles.color} data={optionsOf(labelColorValues)} allowDeselect={false} {...form.getInputProps('color')} />
    </>
  )
}

function NewLabel({ onClose, onWritten }: { onClose(): void; onWritten(): void }) {
  const write = useWriteForm({
    document: CreateLabelDocument,
    draft: 'new-label',
    initialValues: emptyLabel,
    validate,
    toVariables: values => ({ input: inputOf(values) }),
    onWritten,
  })
  return (
    <WriteFormView write={write} verb="Add label" onCancel={onClose}>
      <Fields form={write.form} />
    </WriteFormView>
  )
}

interface OpenLabelProps {
  id: string
  onClose(): void
  onOver(): void
}

function OpenLabel({ id, onClose, onOver }: OpenLabelProps) {
  const read = useRead(LabelNowDocument, { id })
  const label = read.data?.label
  if (!label) return <Unread read={read} count={2} />
  return (
    <>
      <ChangeLabel label={label} onClose={onClose} onWritten={onOver} />
      <DeleteLabel label={label} onDeleted={onOver} />
    </>
  )
}

function ChangeLabel({ label, onClose, onWritten }: { label: Label; onClose(): void; onWritten(): void }) {
  const change = useChangeForm({
    object: label,
    valuesOf,
    inputOf,
    now: LabelNowDocument,
    pickNow: data => data.label,
    document: UpdateLabelDocument,
    toVariables: (input, which) => ({ input: { ...input, ...which } }),
    pickWritten: ({ updateLabel }) => updateLabel,
    validate,
    draft: `label ${label.id}`,
    onWritten,
  })
  const shown = ({ name, color }: Values, field: keyof Values) => (field === 'color' ? words(color) : name)
  return (
    <ChangeFormView change={change} verb="Save label" labels={titles} shown={shown} onCancel={onClose}>
      <Fields form={change.form} />
    </ChangeFormView>
  )
}

function DeleteLabel({ label: { id, name, version }, onDeleted }: { label: Label; onDeleted(): void }) {
  const { isOff } = useMe()
  const { run, isRunning, failure } = useMutationWithProblems(DeleteLabelDocument)
  const remove = async () => {
    const { failure: failed } = await run({ input: { id, ifVersion: version } })
    if (!failed) onDeleted()
  }
  const ask = () =>
    confirm({ title: `Delete "${name}"?`, loses: 'It cannot be brought back.', verb: 'Delete for good', onConfirm: () => void remove() })
  return (
    <>
      <Group mt="xl">
        <Button variant="subtle" color="red" leftSection={<IconTrash />} disabled={isOff} loading={isRunning} onClick={ask}>
          Delete label
        </Button>
      </Group>
      {failure && <FailureAlert failure={failure} />}
    </>
  )
}
