// The balance, usage by day, grants and reservations.

import { Alert, Table, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useRead } from '../data/use-read.ts'
import { CreditBalanceDocument } from '../generated/documents/credits.ts'
import { creditWords } from '../language/en/credits.ts'
import { creditPageWords } from '../language/en/screens/credits.ts'
import { amount, Credits } from '../pieces/money.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { Status, type Tone } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import classes from './credits.module.css'
import { ReferenceLink } from './reference.tsx'
import { Usage, type UsageDays } from './usage.tsx'

const grantTones = { ACTIVE: 'good', PENDING: 'waiting', USED: 'quiet', EXPIRED: 'quiet', VOIDED: 'failing' } as const satisfies Record<
  string,
  Tone
>

export function Overview({ days, onDays }: { days: UsageDays; onDays(days: UsageDays): void }) {
  const read = useRead(CreditBalanceDocument, {})
  const account = read.data?.creditBalance
  return (
    <div className={classes.page}>
      {!account && <Unread read={read} height={72} count={1} />}
      {account && (
        <>
          {account.lowBalance && (
            <Alert color="amber" icon={<IconAlertTriangle />}>
              {creditPageWords.low(amount(account.lowBalanceThreshold))}
            </Alert>
          )}
          <dl className={classes.figures}>
            <Figure label={creditPageWords.available} isLarge>
              <Credits value={account.available} />
            </Figure>
            <Figure label={creditPageWords.underWay}>
              <Credits value={account.reserved} />
            </Figure>
            <Figure label={creditPageWords.balance}>
              <Credits value={account.balance} />
            </Figure>
            {account.nextExpiry && (
              <Figure label={creditPageWords.nextExpiry}>
                <Time at={account.nextExpiry} isPlanned />
              </Figure>
            )}
          </dl>
        </>
      )}
      <Usage days={days} onDays={onDays} />
      {account && (
        <>
          <Part title={creditPageWords.grants} empty={creditPageWords.noGrants} isEmpty={account.grants.length === 0}>
            <Table aria-label={creditPageWords.grants} fz="sm" className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{creditPageWords.granted}</Table.Th>
                  <Table.Th>{creditPageWords.kind}</Table.Th>
                  <Table.Th>{creditPageWords.status}</Table.Th>
                  <Table.Th className={classes.number}>{creditPageWords.columns.amount}</Table.Th>
                  <Table.Th className={classes.number}>{creditPageWords.left}</Table.Th>
                  <Table.Th>{creditPageWords.expires}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {account.grants.map(grant => (
                  <Table.Tr key={grant.id}>
                    <Table.Td data-label={creditPageWords.granted}>
                      <Time at={grant.createdAt} />
                    </Table.Td>
                    <Table.Td data-label={creditPageWords.kind}>{creditWords.category[grant.category]}</Table.Td>
                    <Table.Td data-label={creditPageWords.status}>
                      <Status tone={grantTones[grant.status]} label={creditWords.grantStatus[grant.status]} />
                    </Table.Td>
                    <Table.Td data-label={creditPageWords.columns.amount} className={classes.number}>
                      <Credits value={grant.amount} />
                    </Table.Td>
                    <Table.Td data-label={creditPageWords.left} className={classes.number}>
                      <Credits value={grant.remaining} />
                    </Table.Td>
                    <Table.Td data-label={creditPageWords.expires}>{grant.expiresAt && <Time at={grant.expiresAt} isPlanned />}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Part>
          <Part title={creditPageWords.reservations} empty={creditPageWords.noReservations} isEmpty={account.reservations.length === 0}>
            <Table aria-label={creditPageWords.reservations} fz="sm" className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{creditPageWords.since}</Table.Th>
                  <Table.Th>{creditPageWords.columns.for}</Table.Th>
                  <Table.Th className={classes.number}>{creditPageWords.columns.amount}</Table.Th>
                  <Table.Th>{creditPageWords.returnedBy}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {account.reservations.map(one => (
                  <Table.Tr key={one.id}>
                    <Table.Td data-label={creditPageWords.since}>
                      <Time at={one.createdAt} />
                    </Table.Td>
                    <Table.Td data-label={creditPageWords.columns.for}>
                      <ReferenceLink reference={one.reference} />
                    </Table.Td>
                    <Table.Td data-label={creditPageWords.columns.amount} className={classes.number}>
                      <Credits value={one.amount} />
                    </Table.Td>
                    <Table.Td data-label={creditPageWords.returnedBy}>
                      <Time at={one.expiresAt} isPlanned />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Part>
        </>
      )}
    </div>
  )
}

function Figure({ label, isLarge, children }: { label: string; isLarge?: boolean; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <dd className={isLarge ? classes.large : classes.small}>{children}</dd>
    </div>
  )
}

interface PartProps {
  title: string
  empty: string
  isEmpty: boolean
  children: ReactNode
}

function Part({ title, empty, isEmpty, children }: PartProps) {
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {isEmpty ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone the table scrolls, and the keyboard must reach it.
        <section className={classes.wide} tabIndex={0} aria-label={title}>
          {children}
        </section>
      )}
    </section>
  )
}
