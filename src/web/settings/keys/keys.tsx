// API keys: created and shown once, rotated, revoked.

import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useRead } from '../../data/use-read.ts'
import { useMutationWithProblems } from '../../data/use-write.ts'
import { Panel } from '../../frame/panel.tsx'
import { ApiKeysDocument, ConfirmApiKeyDocument, RevokeApiKeyDocument, RotateApiKeyDocument } from '../../generated/documents/settings.ts'
import type { KeyRowFragment } from '../../generated/operations.ts'
import { announce } from '../../keyboard/announce.tsx'
import { keyWords } from '../../language/en/settings/keys.ts'
import { useIsAway } from '../../live/connectivity.ts'
import { confirm } from '../../pieces/confirm.ts'
import { Empty } from '../../pieces/states/empty.tsx'
import { ForAccounts } from '../../session/for-accounts.tsx'
import { useMe } from '../../session/use-me.ts'
import { Rows, Section } from '../section.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyLine } from './line.tsx'
import { NewSecret } from './secret.tsx'

// One day to replace the key in all programs.
const overlapSeconds = 86_400

export function Keys() {
  const { isGuest, organization, isOff } = useMe()
  const isAway = useIsAway()
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<{ key: string; label: string } | null>(null)
  const mayRead = !isGuest && organization !== null && organization.role !== 'VIEWER'
  const read = useRead(ApiKeysDocument, {}, { isOn: mayRead })
  const { data, reread } = read
  const rotation = useMutationWithProblems(RotateApiKeyDocument)
  const confirmation = useMutationWithProblems(ConfirmApiKeyDocument)
  const revocation = useMutationWithProblems(RevokeApiKeyDocument)
  if (isGuest) return <ForAccounts what={keyWords.title} />
  if (organization?.role === 'VIEWER') return <Empty sentence={keyWords.viewers} />

  const rotate = ({ id, label }: KeyRowFragment) =>
    confirm({
      title: keyWords.rotateQuestion(label),
      loses: keyWords.rotateLoses,
      verb: keyWords.rotateKey,
      isDestructive: false,
      onConfirm: () =>
        void rotation.run({ input: { id, overlapSeconds } }).then(({ data: made }) => {
          if (!made) return
          setSecret({ key: made.rotateApiKey.key, label })
          reread()
        }),
    })
  const confirmKey = ({ id, label }: KeyRowFragment) =>
    confirm({
      title: keyWords.confirmQuestion(label),
      loses: keyWords.confirmLoses,
      verb: keyWords.confirmKey,
      isDestructive: false,
      onConfirm: () => void confirmation.run({ input: { id } }).then(reread),
    })
  const revoke = ({ id, label }: KeyRowFragment) =>
    confirm({
      title: keyWords.revokeQuestion(label),
      loses: keyWords.revokeLoses,
      verb: keyWords.revokeKey,
      onConfirm: () =>
        void revocation.run({ input: { id } }).then(({ failure: failed }) => {
          if (failed) return
          announce(keyWords.isRevoked(label))
          reread()
        }),
    })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={() => setCreating(true)}>
      {keyWords.newKey}
    </Button>
  )
  const keys = data?.apiKeys ?? []
  const now = Date.now()
  const isOver = ({ revokedAt, expiresAt }: KeyRowFragment) =>
    (revokedAt != null && Date.parse(revokedAt) <= now) || (expiresAt != null && Date.parse(expiresAt) <= now)
  const [current, over] = [keys.filter(key => !isOver(key)), keys.filter(isOver)]
  const line = (key: KeyRowFragment) => (
    <KeyLine
      key={key.id}
      apiKey={key}
      isOver={isOver(key)}
      isOff={isAway}
      onConfirm={!key.isConfirmed && organization?.role === 'OWNER' ? () => confirmKey(key) : undefined}
      onRotate={() => rotate(key)}
      onRevoke={() => revoke(key)}
    />
  )
  return (
    <>
      <Section
        read={read}
        height={170}
        failure={rotation.failure ?? confirmation.failure ?? revocation.failure}
        title={keyWords.title}
        sentence={keyWords.sentence}
        action={create}
      >
        {secret && <NewSecret label={secret.label} text={secret.key} onDone={() => setSecret(null)} />}
        {data && current.length === 0 && (
          <Empty sentence={keyWords.empty} guide={{ href: '/docs/guides/users#api-keys', label: keyWords.guide }} />
        )}
        {current.length > 0 && <Rows label={keyWords.title}>{current.map(line)}</Rows>}
      </Section>
      {over.length > 0 && (
        <Section title={keyWords.over}>
          <Rows label={keyWords.overKeys}>{over.slice(0, 20).map(line)}</Rows>
        </Section>
      )}
      <Panel isOpen={isCreating} onClose={() => setCreating(false)} title={keyWords.newTitle} isForm>
        <CreateKey
          onClose={() => setCreating(false)}
          onMade={made => {
            setSecret(made)
            setCreating(false)
            reread()
          }}
        />
      </Panel>
    </>
  )
}
