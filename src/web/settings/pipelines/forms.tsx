// The forms of the settings of pipelines: a new pipeline, a new stage, and a deletion, which asks where the deals go.

import { NumberInput, Select, TextInput } from '@mantine/core'
import { useWriteForm } from '../../forms/use-write-form.ts'
import { WriteFormView } from '../../forms/write-form-view.tsx'
import {
  CreatePipelineDocument,
  CreateStageDocument,
  DeletePipelineDocument,
  DeleteStageDocument,
} from '../../generated/documents/settings-pipelines.ts'
import type { PipelineToSetFragment, StageOfDealFragment } from '../../generated/operations.ts'
import type { StageKind } from '../../generated/schema.ts'
import { dealWords } from '../../language/en/deals/deals.ts'
import { pipelineWords as words } from '../../language/en/settings/pipelines.ts'
import { optionsOf } from '../../language/values.ts'

interface FormProps {
  onClose(): void
  onDone(): void
}

const needsName = ({ name }: { name: string }) => (name.trim() === '' ? { name: words.needed } : null)

export function PipelineForm({ onClose, onDone }: FormProps) {
  const write = useWriteForm({
    document: CreatePipelineDocument,
    initialValues: { name: '' },
    refuse: needsName,
    toVariables: ({ name }) => ({ input: { name: name.trim() } }),
    onWritten: onDone,
  })
  return (
    <WriteFormView write={write} verb={words.createPipeline} onCancel={onClose}>
      <TextInput label={words.name} maxLength={100} data-autofocus {...write.form.getInputProps('name')} />
    </WriteFormView>
  )
}

export function StageForm({ pipeline, onClose, onDone }: FormProps & { pipeline: PipelineToSetFragment }) {
  const write = useWriteForm({
    document: CreateStageDocument,
    initialValues: { name: '', kind: 'OPEN' as StageKind, probability: '' as number | string, staleAfterDays: '' as number | string },
    refuse: needsName,
    toVariables: ({ name, kind, probability, staleAfterDays }) => ({
      input: {
        ...{ pipelineId: pipeline.id, ifVersion: pipeline.version, name: name.trim(), kind },
        ...(typeof probability === 'number' && { probability }),
        ...(typeof staleAfterDays === 'number' && { staleAfterDays }),
      },
    }),
    onWritten: onDone,
  })
  const { form } = write
  return (
    <WriteFormView write={write} verb={words.createStage} onCancel={onClose}>
      <TextInput label={words.name} maxLength={100} data-autofocus {...form.getInputProps('name')} />
      <Select label={words.kind} data={optionsOf(dealWords.state)} allowDeselect={false} {...form.getInputProps('kind')} />
      <NumberInput label={words.probability} min={0} max={100} allowDecimal={false} hideControls {...form.getInputProps('probability')} />
      <NumberInput label={words.stale} min={1} max={3650} allowDecimal={false} hideControls {...form.getInputProps('staleAfterDays')} />
    </WriteFormView>
  )
}

export interface Deletion {
  pipeline: PipelineToSetFragment
  /** Null for the whole pipeline. */
  stage: StageOfDealFragment | null
  /** All pipelines, for the deals of a whole one. */
  others: readonly PipelineToSetFragment[]
}

export function DeletionForm(props: Deletion & FormProps) {
  return props.stage ? <StageDeletion {...props} stage={props.stage} /> : <PipelineDeletion {...props} />
}

function StageDeletion({ pipeline, stage, onClose, onDone }: FormProps & { pipeline: PipelineToSetFragment; stage: StageOfDealFragment }) {
  const targets = pipeline.stages.filter(({ id, kind }) => id !== stage.id && kind === stage.kind)
  const write = useWriteForm({
    document: DeleteStageDocument,
    initialValues: { moveDealsTo: null as string | null },
    toVariables: ({ moveDealsTo }) => ({ input: { id: stage.id, ifVersion: pipeline.version, ...(moveDealsTo && { moveDealsTo }) } }),
    onWritten: onDone,
  })
  return (
    <WriteFormView write={write} verb={words.deleteVerb} onCancel={onClose}>
      <Target targets={targets} {...write.form.getInputProps('moveDealsTo')} />
    </WriteFormView>
  )
}

function PipelineDeletion({ pipeline, others, onClose, onDone }: Omit<Deletion, 'stage'> & FormProps) {
  const write = useWriteForm({
    document: DeletePipelineDocument,
    initialValues: { moveDealsTo: null as string | null },
    toVariables: ({ moveDealsTo }) => ({ input: { id: pipeline.id, ifVersion: pipeline.version, ...(moveDealsTo && { moveDealsTo }) } }),
    onWritten: onDone,
  })
  return (
    <WriteFormView write={write} verb={words.deleteVerb} onCancel={onClose}>
      <Target targets={others.filter(({ id }) => id !== pipeline.id)} {...write.form.getInputProps('moveDealsTo')} />
    </WriteFormView>
  )
}

const Target = ({ targets, ...props }: { targets: readonly { id: string; name: string }[] }) => (
  <Select
    label={words.moveTo}
    description={words.moveHelp}
    data={targets.map(({ id, name }) => ({ value: id, label: name }))}
    clearable
    {...props}
  />
)
