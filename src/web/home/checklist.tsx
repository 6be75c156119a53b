// The checklist of a new organization. Each step leads to its screen, and ticks itself off.

import { Button, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { homeWords } from '../language/en/home.ts'
import { ButtonLink } from '../pieces/links.tsx'
import { useMe } from '../session/use-me.ts'
import classes from './checklist.module.css'
import { AddSampleData } from './sample-data.tsx'
import type { Start, StepName } from './use-start.ts'

interface ChecklistProps {
  start: Start
  onHide(): void
}

export function Checklist({ start: { steps, agentId, mayManage }, onHide }: ChecklistProps) {
  const { organization } = useMe()
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
            {!isDone && <Actions name={name} agentId={agentId} isNext={name === next} mayManage={mayManage} />}
          </li>
        ))}
      </ol>
      <Button variant="subtle" color="gray" style={{ alignSelf: 'start' }} onClick={onHide}>
        {homeWords.start.backToWidgets}
      </Button>
    </section>
  )
}

interface ActionsProps extends Pick<Start, 'agentId' | 'mayManage'> {
  name: StepName
  isNext: boolean
}

function Actions({ name, agentId, isNext, mayManage }: ActionsProps) {
  const variant = isNext ? 'filled' : 'default'
  const { organization, contacts, agent, call, colleague } = homeWords.start
  if (name === 'organization')
    return (
      <ButtonLink to="/settings/organization" variant={variant}>
        {organization.action}
      </ButtonLink>
    )
  if (name === 'contacts')
    return (
      <Group gap="xs">
        <ButtonLink to="/imports" variant={variant}>
          {contacts.import}
        </ButtonLink>
        <ButtonLink to="/contacts" search={{ new: true }} variant="default">
          {contacts.add}
        </ButtonLink>
        {mayManage && <AddSampleData />}
      </Group>
    )
  if (name === 'agent')
    return (
      <ButtonLink to="/agents" search={{ new: 'choose' }} variant={variant}>
        {agent.action}
      </ButtonLink>
    )
  if (name === 'call')
    return agentId === null ? null : (
      <ButtonLink to="/agents/$agentId" params={{ agentId }} variant={variant}>
        {call.action}
      </ButtonLink>
    )
  return (
    <ButtonLink to="/settings/members" search={{ invite: true }} variant={variant}>
      {colleague.action}
    </ButtonLink>
  )
}
