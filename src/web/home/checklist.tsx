// The checklist of a new organization. Each step leads to its screen, and ticks itself off.

import { Button, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTrial } from '../call-form/use-trial.ts'
import { homeWords } from '../language/en/home.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { tellRefusal } from '../pieces/notices/refusal.tsx'
import { useMe } from '../session/use-me.ts'
import classes from './checklist.module.css'
import { AddSampleData } from './sample-data.tsx'
import type { Start, StepName } from './use-start.ts'

interface ChecklistProps {
  start: Start
  onHide(): void
}

export function Checklist({ start, onHide }: ChecklistProps) {
  const { organization } = useMe()
  const { steps } = start
  const next = steps.find(({ isDone }) => !isDone)?.name
  return (
    <section className={classes.checklist} aria-label={homeWords.start.title(organization?.name ?? '')}>
      <Title order={2} size="h3">
        {homeWords.start.title(organization?.name ?? '')}
      </Title>
      <Text c="dimmed">{homeWords.start.sentence}</Text>
      <ol className={classes.steps}>
        {steps.map(({ name, isDone }, index) => (
          <li key={name} className={classes.step} data-done={isDone || undefined} aria-current={name === next ? 'step' : undefined}>
            <ThemeIcon variant={isDone ? 'filled' : 'default'} radius="xl" size={28} aria-label={isDone ? homeWords.start.done : undefined}>
              {isDone ? <IconCheck size={16} /> : index + 1}
            </ThemeIcon>
            <div className={classes.words}>
              <Text fw={600}>{homeWords.start[name].title}</Text>
              {!isDone && (
                <Text size="sm" c="dimmed">
                  {homeWords.start[name].sentence}
                </Text>
              )}
            </div>
            {!isDone && <StepActions start={start} name={name} isNext={name === next} />}
          </li>
        ))}
      </ol>
      <Button variant="subtle" color="gray" style={{ alignSelf: 'start' }} onClick={onHide}>
        {homeWords.start.backToWidgets}
      </Button>
    </section>
  )
}

interface StepActionsProps {
  start: Start
  name: StepName
  isNext?: boolean
}

export function StepActions({ start: { agent, mayManage }, name, isNext = false }: StepActionsProps) {
  const variant = isNext ? 'filled' : 'default'
  const words = homeWords.start
  switch (name) {
    case 'organization':
      return (
        <ButtonLink to="/settings/organization" variant={variant}>
          {words.organization.action}
        </ButtonLink>
      )
    case 'contacts':
      return (
        <Group gap="xs">
          <ButtonLink to="/imports" variant={variant}>
            {words.contacts.import}
          </ButtonLink>
          <ButtonLink to="/contacts" search={{ new: true }} variant="default">
            {words.contacts.add}
          </ButtonLink>
          {mayManage && <AddSampleData />}
        </Group>
      )
    case 'agent':
      return (
        <ButtonLink to="/agents" search={{ new: 'choose' }} variant={variant}>
          {words.agent.action}
        </ButtonLink>
      )
    case 'call':
      if (agent === null) return null
      if (agent.isActive) return <StartTrial agentId={agent.id} variant={variant} />
      return (
        <ButtonLink to="/agents/$agentId" params={{ agentId: agent.id }} variant={variant}>
          {words.call.toAgent}
        </ButtonLink>
      )
    case 'colleague':
      return (
        <ButtonLink to="/settings/members" search={{ invite: true }} variant={variant}>
          {words.colleague.action}
        </ButtonLink>
      )
  }
}

function StartTrial({ agentId, variant }: { agentId: string; variant: 'filled' | 'default' }) {
  const { isOff } = useMe()
  const { start, isRunning } = useTrial()
  const hear = async () => {
    const failure = await start(agentId)
    if (failure) tellRefusal(homeWords.start.call.notStarted, failure)
  }
  return (
    <Button variant={variant} disabled={isOff} loading={isRunning} onClick={() => void hear()}>
      {homeWords.start.call.action}
    </Button>
  )
}
