// A secret that is shown only once, with the first request that uses it.

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { keyWords } from '../../language/en/settings/keys.ts'
import { CopyIcon } from '../../pieces/copy-text.tsx'
import classes from './secret.module.css'

interface SecretOnceProps {
  title: string
  /** The noun: "key". */
  noun: string
  text: string
  /** An example of its use. */
  children?: ReactNode
  onDone(): void
}

export function SecretOnce({ title, noun, text, children, onDone }: SecretOnceProps) {
  return (
    <Alert color="green" variant="light" icon={<IconKey />} title={title} role="status">
      <Stack gap="sm">
        <Text size="sm">{keyWords.copyNow}</Text>
        <Secret text={text} label={noun} />
        {children}
        <Group>
          <Button variant="default" onClick={onDone}>
            {keyWords.copied}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

export function NewSecret({ label, text, onDone }: { label: string; text: string; onDone(): void }) {
  return (
    <SecretOnce title={keyWords.isMade(label)} noun={keyWords.key} text={text} onDone={onDone}>
      <Text size="sm">{keyWords.firstRequest}</Text>
      <Secret text={`curl -s ${window.location.origin}/api/crm/v1/contacts -H "Authorization: Bearer ${text}"`} label={keyWords.request} />
    </SecretOnce>
  )
}

export function Secret({ text, label }: { text: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code block className={classes.secret} tabIndex={0} role="region" aria-label={keyWords.the(label)}>
        {text}
      </Code>
      <CopyIcon text={text} label={label} />
    </Group>
  )
}
