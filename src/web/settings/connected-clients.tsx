// OAuth clients that act for the person: their scopes and last use, and a button to disconnect each.

import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useRead } from '../data/use-read.ts'
import { useMutationWithProblems } from '../data/use-write.ts'
import { ConnectedClientsDocument, DisconnectClientDocument } from '../generated/documents/settings.ts'
import type { ConnectedClientRowFragment } from '../generated/operations.ts'
import { announce } from '../keyboard/announce.tsx'
import { sessionWords } from '../language/en/settings/sessions.ts'
import { useIsAway } from '../live/connectivity.ts'
import { exact, Time } from '../pieces/time.tsx'
import { useMe } from '../session/use-me.ts'
import { scopeWords } from './keys/scopes.ts'
import { Row, Rows, Section } from './section.tsx'

export function ConnectedClients() {
  const { me } = useMe()
  const isAway = useIsAway()
  const read = useRead(ConnectedClientsDocument, {})
  const one = useMutationWithProblems(DisconnectClientDocument)
  const clients = read.data?.connectedClients ?? []
  const disconnect = async ({ id }: ConnectedClientRowFragment) => {
    const { failure: failed } = await one.run({ input: { id } })
    if (failed) return
    announce(sessionWords.isDisconnected)
    read.reread()
  }
  if (!read.failure && !one.failure && clients.length === 0) return null
  const nameOf = (organizationId: string) => me?.organizations.find(({ id }) => id === organizationId)?.name ?? sessionWords.another
  return (
    <Section read={read} failure={one.failure} title={sessionWords.connected} sentence={sessionWords.connectedSentence}>
      <Rows label={sessionWords.connected}>
        {clients.map(client => (
          <Row
            key={client.id}
            mark={<IconPlugConnected size={20} aria-hidden />}
            name={client.clientName}
            facts={
              <>
                <span>{nameOf(client.organizationId)}</span>
                <span>{client.scopes.map(scope => scopeWords[scope]).join(', ')}</span>
                <span>{client.lastUsedAt ? sessionWords.lastUsed(<Time at={client.lastUsedAt} />) : sessionWords.neverUsed}</span>
                <span>{sessionWords.since(exact(client.createdAt))}</span>
              </>
            }
            actions={
              <Button
                variant="default"
                disabled={isAway || one.isRunning}
                aria-label={sessionWords.disconnectName(client.clientName)}
                onClick={() => void disconnect(client)}
              >
                {sessionWords.disconnect}
              </Button>
            }
          />
        ))}
      </Rows>
    </Section>
  )
}
