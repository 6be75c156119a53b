// The error of a screen that broke. It stands in the screen's place, and the rail still works. After a release the server may no longer have the
// screen's parts.

import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { startWords } from '../language/en/shared/start.ts'

export function ScreenError({ error }: { error: unknown }) {
  return (
    <Center p="xl" mih="50dvh" role="alert">
      <Stack gap="xs" maw={480}>
        <Title order={1} size="h2">
          {startWords.broken.title}
        </Title>
        <Text c="dimmed">{startWords.broken.sentence}</Text>
        <Text size="xs" ff="monospace" c="dimmed">
          {String(error)}
        </Text>
        <Button variant="default" onClick={() => window.location.reload()} style={{ alignSelf: 'start' }}>
          {startWords.broken.again}
        </Button>
      </Stack>
    </Center>
  )
}

/** Shows the error of a page before the app. The router has its own error boundary. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render() {
    return this.state.error === null ? this.props.children : <ScreenError error={this.state.error} />
  }
}
