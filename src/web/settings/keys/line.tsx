// A line of the list of API keys.

import { ActionIcon, Badge, Code, Menu } from '@mantine/core'
import { IconBan, IconCheck, IconDots, IconRefresh } from '@tabler/icons-react'
import type { KeyRowFragment } from '../../generated/operations.ts'
import { keyWords } from '../../language/en/settings/keys.ts'
import { exact, Time } from '../../pieces/time.tsx'
import { Row } from '../section.tsx'
import { scopeWords } from './scopes.ts'

interface KeyLineProps {
  apiKey: KeyRowFragment
  isOver: boolean
  isOff: boolean
  /** Set for the paying member, while the key waits for a confirmation. */
  onConfirm?: (() => void) | undefined
  onRotate(): void
  onRevoke(): void
}

export function KeyLine({ apiKey, isOver, isOff, onConfirm, onRotate, onRevoke }: KeyLineProps) {
  const { label, isConfirmed, start, last4, scopes, lastUsedAt, createdAt, expiresAt, revokedAt } = apiKey
  const words = scopes.map(scope => scopeWords[scope])
  return (
    <Row
      isQuiet={isOver}
      name={
        <>
          {label}
          <Code>
            {start}...{last4}
          </Code>
          {!isOver && revokedAt && (
            <Badge variant="light" color="amber" tt="none" fw={500}>
              {keyWords.worksUntil(exact(revokedAt))}
            </Badge>
          )}
          {!isOver && !isConfirmed && (
            <Badge variant="light" color="amber" tt="none" fw={500}>
              {keyWords.waits}
            </Badge>
          )}
        </>
      }
      facts={
        <>
          <span>{words.length > 3 ? keyWords.andMore(words.slice(0, 3).join(', '), words.length - 3) : words.join(', ')}</span>
          {isOver ? (
            <span>{revokedAt ? keyWords.revokedAt(exact(revokedAt)) : keyWords.expiredAt(exact(expiresAt ?? createdAt))}</span>
          ) : (
            <>
              <span>{lastUsedAt ? keyWords.lastUsed(<Time at={lastUsedAt} />) : keyWords.neverUsed}</span>
              <span>{keyWords.createdAt(exact(createdAt))}</span>
              {expiresAt && <span>{keyWords.expiresAt(exact(expiresAt))}</span>}
            </>
          )}
        </>
      }
      actions={
        !isOver && (
          <Menu position="bottom-end" width={180}>
            <Menu.Target>
              <ActionIcon aria-label={keyWords.moreFor(label)} disabled={isOff}>
                <IconDots />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {onConfirm && (
                <Menu.Item leftSection={<IconCheck />} onClick={onConfirm}>
                  {keyWords.confirm}
                </Menu.Item>
              )}
              {!revokedAt && isConfirmed && (
                <Menu.Item leftSection={<IconRefresh />} onClick={onRotate}>
                  {keyWords.rotate}
                </Menu.Item>
              )}
              <Menu.Item color="red" leftSection={<IconBan />} onClick={onRevoke}>
                {keyWords.revoke}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )
      }
    />
  )
}
