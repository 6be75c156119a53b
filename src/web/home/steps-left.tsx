// The steps of the setup that are not done, above the widgets, until all are done or somebody hides them.

import { ActionIcon, Group, Text, ThemeIcon, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { homeWords } from '../language/en/home.ts'
import { numberText } from '../language/format.ts'
import { useMe } from '../session/use-me.ts'
import { StepActions } from './checklist.tsx'
import classes from './steps-left.module.css'
import type { Start } from './use-start.ts'

interface StepsLeftProps {
  start: Start
  onHide(): void
}

const words = homeWords.start

export function StepsLeft({ start, onHide }: StepsLeftProps) {
  const { organization } = useMe()
  const { steps } = start
  const done = steps.filter(({ isDone }) => isDone).length
  const title = words.title(organization?.name ?? '')
  return (
    <section className={classes.steps} aria-label={title}>
      <Group gap="sm" wrap="nowrap" align="baseline">
        <Title order={2} size="h4" className={classes.title}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" flex="none">
          {words.doneOf(numberText(done), numberText(steps.length))}
        </Text>
        <ActionIcon ml="auto" aria-label={words.hide} title={words.hide} onClick={onHide} style={{ alignSelf: 'start' }}>
          <IconX />
        </ActionIcon>
      </Group>
      <ol className={classes.list}>
        {steps.map(({ name, isDone }, index) =>
          isDone ? null : (
            <li key={name} className={classes.step}>
              <ThemeIcon variant="default" radius="xl" size={24} aria-hidden>
                {index + 1}
              </ThemeIcon>
              <Text size="sm" fw={500} className={classes.name}>
                {words[name].title}
              </Text>
              <StepActions start={start} name={name} />
            </li>
          ),
        )}
      </ol>
    </section>
  )
}
