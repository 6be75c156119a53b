// The pipelines of the organization with their stages, and the reasons for lost deals.

import { Button, Group, TagsInput, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { Panel } from '../../frame/panel.tsx'
import {
  PipelineSettingsDocument,
  UpdateDealSettingsDocument,
  UpdatePipelineDocument,
} from '../../generated/documents/settings-pipelines.ts'
import type { PipelineToSetFragment } from '../../generated/operations.ts'
import { announce } from '../../keyboard/announce.tsx'
import { pipelineWords as words } from '../../language/en/settings/pipelines.ts'
import { notify, tellRefusal } from '../../pieces/notices/refusal.tsx'
import { useMe } from '../../session/use-me.ts'
import { Section } from '../section.tsx'
import { type Deletion, DeletionForm, PipelineForm, StageForm } from './forms.tsx'
import classes from './stage-row.module.css'
import { StageRow } from './stage-row.tsx'

type Opened = { kind: 'pipeline' } | { kind: 'stage'; pipeline: PipelineToSetFragment } | ({ kind: 'deletion' } & Deletion)

export function Pipelines() {
  const { organization, isOff } = useMe()
  const read = useRead(PipelineSettingsDocument, {})
  const { data, reread } = read
  const [opened, setOpened] = useState<Opened | null>(null)
  const mayChange = !isOff && (organization?.role === 'OWNER' || organization?.role === 'ADMIN')
  const close = () => setOpened(null)
  const done = () => {
    close()
    reread()
  }
  const title =
    opened?.kind === 'stage'
      ? words.newStageOf(opened.pipeline.name)
      : opened?.kind === 'deletion'
        ? words.delete((opened.stage ?? opened.pipeline).name)
        : words.newPipeline
  return (
    <>
      <Section
        read={read}
        height={280}
        title={words.title}
        sentence={words.sentence}
        action={
          <Button leftSection={<IconPlus />} disabled={!mayChange} onClick={() => setOpened({ kind: 'pipeline' })}>
            {words.newPipeline}
          </Button>
        }
      />
      {data?.pipelines.map(pipeline => (
        <section key={pipeline.id} aria-label={pipeline.name} className={classes.pipeline}>
          <PipelineName key={pipeline.version} pipeline={pipeline} mayChange={mayChange} />
          <div className={classes.head} aria-hidden>
            <span>{words.chance}</span>
            <span>{words.staleAfter}</span>
          </div>
          <ol className={classes.stages} aria-label={pipeline.name}>
            {pipeline.stages.map((stage, index) => (
              <StageRow
                key={`${stage.id} ${pipeline.version}`}
                pipeline={pipeline}
                stage={stage}
                index={index}
                mayChange={mayChange}
                onDelete={() => setOpened({ kind: 'deletion', pipeline, stage, others: [] })}
              />
            ))}
          </ol>
          {mayChange && (
            <Group gap="xs">
              <Button variant="default" leftSection={<IconPlus />} onClick={() => setOpened({ kind: 'stage', pipeline })}>
                {words.newStage}
              </Button>
              {data.pipelines.length > 1 && (
                <Button
                  variant="subtle"
                  color="red"
                  leftSection={<IconTrash />}
                  onClick={() => setOpened({ kind: 'deletion', pipeline, stage: null, others: data.pipelines })}
                >
                  {words.delete(pipeline.name)}
                </Button>
              )}
            </Group>
          )}
        </section>
      ))}
      {data && (
        <LostReasons
          key={data.dealSettings.lostReasons.join('\n')}
          reasons={data.dealSettings.lostReasons}
          mayChange={mayChange}
          onSaved={reread}
        />
      )}
      <Panel isOpen={opened !== null} onClose={close} title={title} isForm>
        {opened?.kind === 'pipeline' && <PipelineForm onClose={close} onDone={done} />}
        {opened?.kind === 'stage' && <StageForm pipeline={opened.pipeline} onClose={close} onDone={done} />}
        {opened?.kind === 'deletion' && <DeletionForm {...opened} onClose={close} onDone={done} />}
      </Panel>
    </>
  )
}

function PipelineName({ pipeline: { id, version, name }, mayChange }: { pipeline: PipelineToSetFragment; mayChange: boolean }) {
  const update = useMutationWithProblems(UpdatePipelineDocument)
  const save = async (typed: string) => {
    if (typed === '' || typed === name) return
    const { failure } = await update.run({ input: { id, ifVersion: version, name: typed } })
    if (failure) tellRefusal(words.notChanged(name), failure)
    else announce(words.changed(typed))
  }
  return (
    <TextInput
      size="sm"
      fw={600}
      variant="unstyled"
      aria-label={words.nameOf(name)}
      maxLength={100}
      defaultValue={name}
      readOnly={!mayChange}
      onBlur={event => void save(event.currentTarget.value.trim())}
      onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}

function LostReasons({ reasons, mayChange, onSaved }: { reasons: readonly string[]; mayChange: boolean; onSaved(): void }) {
  const [value, setValue] = useState([...reasons])
  const update = useMutationWithProblems(UpdateDealSettingsDocument)
  const save = async () => {
    const { failure } = await update.run({ input: { lostReasons: value } })
    if (failure) return
    notify(words.saved)
    onSaved()
  }
  return (
    <Section title={words.reasons} sentence={words.reasonsSentence} failure={update.failure}>
      <TagsInput
        label={words.reasonsLabel}
        description={words.reasonsHelp}
        maxTags={50}
        value={value}
        disabled={!mayChange}
        splitChars={[]}
        onChange={setValue}
      />
      <Group>
        <Button disabled={!mayChange} loading={update.isRunning} onClick={() => void save()}>
          {words.save}
        </Button>
      </Group>
    </Section>
  )
}
