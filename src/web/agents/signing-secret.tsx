// The secret that signs an agent's messages: shown on request, and rotated. The old secret stays valid for a while.

import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useMutationWithProblems } from '../data/use-write.ts'
import { RevealSigningSecretDocument, RotateSigningSecretDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentRowFragment } from '../generated/operations.ts'
import { confirm } from '../pieces/confirm.ts'
import { CopyText } from '../pieces/copy-text.tsx'
import { Part } from '../pieces/part.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { useMe } from '../session/use-me.ts'

export function SigningSecret({ agent: { id, name } }: { agent: VoiceAgentRowFragment }) {
  const { isOff } = useMe()
  const [secrets, setSecrets] = useState<readonly string[]>([])
  const reveal = useMutationWithProblems(RevealSigningSecretDocument)
  const rotate = useMutationWithProblems(RotateSigningSecretDocument)
  const failure = reveal.failure ?? rotate.failure
  const show = async () => setSecrets((await reveal.run({ id })).data?.revealSigningSecret.secrets ?? [])
  const replace = () =>
    confirm({
      title: `Rotate the secret of ${name}?`,
      loses: 'A new secret signs from now on. The present one stays valid for a while, so that you can replace it in your programs.',
      verb: 'Rotate secret',
      onConfirm: async () => setSecrets((await rotate.run({ id })).data?.rotateSigningSecret.secrets ?? []),
    })
  return (
    <Part title="Signing secret" sentence="Proves that a message comes from this agent.">
      <Stack gap={4} mb="xs">
        {secrets.map((secret, index) => (
          <CopyText key={secret} text={secret} label={index === 0 ? 'secret' : 'earlier secret'} />
        ))}
      </Stack>
      {failure && <ErrorNotice failure={failure} />}
      <Group gap="xs">
        {secrets.length === 0 ? (
          <Button variant="default" disabled={isOff} loading={reveal.isRunning} onClick={() => void show()}>
            Reveal
          </Button>
        ) : (
          <Button variant="default" onClick={() => setSecrets([])}>
            Hide
          </Button>
        )}
        <Button variant="default" disabled={isOff} loading={rotate.isRunning} onClick={replace}>
          Rotate
        </Button>
      </Group>
    </Part>
  )
}
