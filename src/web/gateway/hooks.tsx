// The hooks: their configuration, a form that tries one, and the last requests.

import { Box, Code, Group, Stack, Table, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useConnection } from '../data/use-connection.ts'
import { useRead } from '../data/use-read.ts'
import { GatewayHooksDocument, HookPayloadsDocument } from '../generated/documents/gateway.ts'
import type { HookPayloadsQuery } from '../generated/operations.ts'
import { assistantWords } from '../language/en/assistant.ts'
import { assistantPageWords } from '../language/en/screens/assistant.ts'
import { Part } from '../pieces/part.tsx'
import { Empty } from '../pieces/states/empty.tsx'
import { ErrorNotice } from '../pieces/states/error-notice.tsx'
import { Unread } from '../pieces/states/unread.tsx'
import { Status } from '../pieces/status.tsx'
import { Time } from '../pieces/time.tsx'
import classes from './gateway.module.css'
import { TestHook } from './test-hook.tsx'

export function Hooks() {
  const read = useRead(GatewayHooksDocument, {})
  const hooks = read.data?.gatewayConfiguration.hooks
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a box that scrolls.
    <section className={classes.scroll} aria-label={assistantPageWords.hooks.title} tabIndex={0}>
      <Stack gap="lg" maw={880}>
        {!hooks && <Unread read={read} />}
        {hooks && (
          <Text size="sm">
            <Status
              tone={hooks.isEnabled ? 'good' : 'quiet'}
              label={hooks.isEnabled ? assistantPageWords.hooks.isOn(hooks.path) : assistantPageWords.hooks.isOff}
            />
          </Text>
        )}
        {hooks && hooks.mappings.length > 0 && (
          <Table.ScrollContainer minWidth={480} type="native" tabIndex={0} role="region" aria-label={assistantPageWords.hooks.mappings}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{assistantPageWords.hooks.mapping}</Table.Th>
                  <Table.Th>{assistantPageWords.hooks.address}</Table.Th>
                  <Table.Th>{assistantPageWords.hooks.makes}</Table.Th>
                  <Table.Th>{assistantPageWords.hooks.provedBy}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {hooks.mappings.map(({ name, path, action, authentication }) => (
                  <Table.Tr key={name}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td>
                      <Code>{`${hooks.path}/${path ?? name}`}</Code>
                    </Table.Td>
                    <Table.Td>{action === 'WAKE' ? assistantPageWords.hooks.aWake : assistantPageWords.hooks.aRun}</Table.Td>
                    <Table.Td>{assistantWords.authentication[authentication]}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
        {hooks && <TestHook names={hooks.mappings.map(({ path, name }) => path ?? name)} />}
        {hooks && <LastPayloads />}
      </Stack>
    </section>
  )
}

function LastPayloads() {
  const list = useConnection({
    document: HookPayloadsDocument,
    variables: { first: 20 },
    pick: data => data.hookPayloads,
    isChangedBy: () => true,
  })
  return (
    <Part title={assistantPageWords.hooks.last}>
      {list.failure && <ErrorNotice failure={list.failure} onRetry={list.refresh} />}
      {!list.failure && !list.isLoading && list.rows.length === 0 && <Empty sentence={assistantPageWords.hooks.none} />}
      {list.rows.map(row => (
        <Payload key={row.id} row={row} />
      ))}
    </Part>
  )
}

function Payload({ row }: { row: HookPayloadsQuery['hookPayloads']['nodes'][number] }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <Box>
      <UnstyledButton onClick={toggle} aria-expanded={isOpen} className={classes.row} w="100%">
        <Group gap="xs" wrap="nowrap">
          <Chevron size={14} aria-hidden />
          <Text size="sm" component="span" flex="none">
            <Status tone={row.status < 300 ? 'good' : 'failing'} label={String(row.status)} />
          </Text>
          <Text size="sm" truncate>
            {row.hook}
            {row.mapping && assistantPageWords.hooks.mappedBy(row.mapping)}
          </Text>
          <Text size="xs" c="dimmed" ml="auto" flex="none">
            <Time at={row.receivedAt} />
          </Text>
        </Group>
      </UnstyledButton>
      {isOpen && (
        <Stack gap="xs" p="sm">
          {row.error && (
            <Text size="sm" c="red">
              {row.error}
            </Text>
          )}
          <Code block className={classes.payload}>
            {row.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          </Code>
          <Code block className={classes.payload}>
            {JSON.stringify(row.payload, null, 2)}
            {row.isTruncated && `\n${assistantPageWords.hooks.cut}`}
          </Code>
        </Stack>
      )}
    </Box>
  )
}
