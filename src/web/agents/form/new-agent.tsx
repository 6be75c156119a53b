// A new voice agent: a template is chosen, or the empty form. Then the form.

import { Stack, Text, UnstyledButton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { agentTemplates, agentWords } from '../../language/en/agents.ts'
import classes from './agent-form.module.css'
import { AgentForm } from './agent-form.tsx'
import { type NewAgentStep, templateIds } from './steps.ts'
import { templateIcons } from './templates.ts'

interface NewAgentProps {
  step: NewAgentStep
  onChoose(step: NewAgentStep): void
  onCancel(): void
  onWritten(id: string): void
}

export default function NewAgent({ step, onChoose, ...form }: NewAgentProps) {
  const words = agentWords.choose
  if (step !== 'choose') return <AgentForm key={step} template={step === 'scratch' ? null : step} {...form} />
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {words.sentence}
      </Text>
      {templateIds.map(id => {
        const Icon = templateIcons[id]
        const { name, sentence } = agentTemplates[id]
        return <Card key={id} icon={<Icon aria-hidden />} title={name} sentence={sentence} onClick={() => onChoose(id)} />
      })}
      <Card icon={<IconPencil aria-hidden />} title={words.scratch} sentence={words.scratchSentence} onClick={() => onChoose('scratch')} />
    </Stack>
  )
}

interface CardProps {
  icon: ReactNode
  title: string
  sentence: string
  onClick(): void
}

const Card = ({ icon, title, sentence, onClick }: CardProps) => (
  <UnstyledButton className={classes.card} onClick={onClick}>
    {icon}
    <span>
      <Text span display="block" fw={500} size="sm">
        {title}
      </Text>
      <Text span display="block" c="dimmed" size="sm">
        {sentence}
      </Text>
    </span>
  </UnstyledButton>
)
