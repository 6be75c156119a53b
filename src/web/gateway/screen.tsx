// The gateway: the events, runs, conversations and deliveries of its assistants.

import { Button, Tabs } from '@mantine/core'
import { IconBell, IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { Header } from '../frame/header.tsx'
import { Panel } from '../frame/panel.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import type { AgeSort } from '../generated/schema.ts'
import { assistantWords } from '../language/en/assistant.ts'
import { frameWords } from '../language/en/frame.ts'
import { assistantPageWords } from '../language/en/screens/assistant.ts'
import { ForAccounts } from '../session/for-accounts.tsx'
import { useMe } from '../session/use-me.ts'
import { RunForm, WakeForm } from './ask-forms.tsx'
import { Conversations } from './conversations.tsx'
import classes from './gateway.module.css'
import { Hooks } from './hooks.tsx'
import { Deliveries, Events } from './lists.tsx'
import { gatewayRoute, gatewayTabs } from './route.tsx'
import { RunPanel } from './runs/run-panel.tsx'
import { Runs } from './runs/runs.tsx'

export function GatewayScreen() {
  const { tab = 'conversations', session = 'main', status, sort = 'CREATED_AT_DESC', run, ask } = gatewayRoute.useSearch()
  const navigate = useNavigate({ from: gatewayRoute.fullPath })
  const change = (next: Partial<ReturnType<typeof gatewayRoute.useSearch>>) =>
    void navigate({ search: before => ({ ...before, ...next }), replace: true })
  const { mayWrite, isGuest, isOff } = useMe()
  const { opening, close } = usePanelAddress(run !== undefined || ask !== undefined, () => change({ ask: undefined, run: undefined }))
  const openPanel = (next: { run?: string; ask?: 'wake' | 'run' }) =>
    void navigate({ search: before => ({ ...before, run: undefined, ask: undefined, ...next }), ...opening })
  const sorting = { sort, onSort: (next: string) => change({ sort: next as AgeSort }) }
  const openRun = (id: string) => openPanel({ run: id })
  if (isGuest)
    return (
      <>
        <Header title={frameWords.places.gateway} />
        <ForAccounts what={assistantPageWords.forAccounts} />
      </>
    )
  return (
    <>
      <Header
        title={frameWords.places.gateway}
        actions={
          <>
            <Button variant="default" leftSection={<IconBell />} disabled={isOff} onClick={() => openPanel({ ask: 'wake' })}>
              {assistantPageWords.wake}
            </Button>
            <Button leftSection={<IconPlayerPlay />} disabled={isOff} onClick={() => openPanel({ ask: 'run' })}>
              {assistantPageWords.run}
            </Button>
          </>
        }
      />
      <DroppedFilters />
      <Tabs
        value={tab}
        onChange={next => change({ tab: gatewayTabs.find(one => one === next), sort: undefined })}
        keepMounted={false}
        className={classes.tabs}
      >
        <Tabs.List className={classes.list}>
          {gatewayTabs.map(one => (
            <Tabs.Tab key={one} value={one} className={classes.tab}>
              {assistantWords.tabs[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="conversations" className={classes.panel}>
          <Conversations sessionKey={session} onChoose={key => change({ session: key })} onOpenRun={openRun} />
        </Tabs.Panel>
        <Tabs.Panel value="runs" className={classes.panel}>
          <Runs {...sorting} status={status} onFilter={next => change({ status: next })} openId={run} onOpen={openRun} />
        </Tabs.Panel>
        <Tabs.Panel value="events" className={classes.panel}>
          <Events {...sorting} onOpenRun={openRun} />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries" className={classes.panel}>
          <Deliveries {...sorting} onOpenRun={openRun} />
        </Tabs.Panel>
        <Tabs.Panel value="hooks" className={classes.panel}>
          <Hooks />
        </Tabs.Panel>
      </Tabs>
      <Panel isOpen={run !== undefined} isInAddress onClose={close} title={assistantPageWords.run}>
        {run !== undefined && (
          <RunPanel key={run} id={run} onSession={key => change({ tab: 'conversations', session: key, run: undefined })} />
        )}
      </Panel>
      <Panel
        isOpen={ask !== undefined && mayWrite}
        isInAddress
        onClose={close}
        title={ask === 'wake' ? assistantPageWords.wakeMain : assistantPageWords.runOne}
        isForm
      >
        {ask === 'wake' && <WakeForm onCancel={close} onDone={() => change({ ask: undefined, tab: 'events' })} />}
        {ask === 'run' && <RunForm onCancel={close} onDone={id => change({ ask: undefined, tab: 'runs', run: id })} />}
      </Panel>
    </>
  )
}
