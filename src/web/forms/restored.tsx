// Says that a form has text from before, and takes it away.

import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { laterWords } from '../language/en/shared/later.ts'
import type { RestoredDraft } from './use-write-form.ts'

export function Restored({ draft }: { draft: RestoredDraft | null }) {
  if (!draft) return null
  return (
    <Alert color="blue" variant="light" role="status" icon={<IconHistory />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{laterWords.draft.restored}</Text>
        <Button variant="default" onClick={draft.discard}>
          {laterWords.draft.discard}
        </Button>
      </Group>
    </Alert>
  )
}
