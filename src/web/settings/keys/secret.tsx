// A secret that is shown this once: to copy, with the first request that uses it.

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { CopyIcon } from '../../pieces/copy-icon.tsx'
import classes from './secret.module.css'

export function NewSecret({ label, text, onDone }: { label: string; text: string; onDone(): void }) {
  return (
    <Alert color="green" variant="light" icon={<IconKey size={16} stroke={1.5} />} title={`"${label}" is made`} role="status">
      <Stack gap="sm">
        <Text size="sm">Copy it now: it is not shown again.</Text>
        <Secret text={text} label="key" />
        <Text size="sm">The first request:</Text>
        <Secret text={`curl -s ${window.location.origin}/api/crm/v1/contacts -H "Authorization: Bearer ${text}"`} label="request" />
        <Group>
          <Button variant="default" onClick={onDone}>
            I have copied it
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

export function Secret({ text, label }: { text: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code block className={classes.secret} tabIndex={0} role="region" aria-label={`The ${label}`}>
        {text}
      </Code>
      <CopyIcon text={text} label={label} />
    </Group>
  )
}
