// The list of voice agents. The status in a row tells whether the provider has accepted the agent.

import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useMemo } from 'react'
import { DroppedFilters } from '../address/dropped-filters.tsx'
import { loadPart } from '../app/loaded.ts'
import { useConnection } from '../data/use-connection.ts'
import { Header, Toolbar } from '../frame/header.tsx'
import { Panel } from '../frame/panel.tsx'
import { usePanelAddress } from '../frame/use-panel-address.ts'
import { VoiceAgentsDocument } from '../generated/documents/agents.ts'
import type { VoiceAgentSort } from '../generated/schema.ts'
import { useShortcut } from '../keyboard/shortcuts.ts'
import { agentWords } from '../language/en/agents.ts'
import { callWords } from '../language/en/calls.ts'
import { frameWords } from '../language/en/frame.ts'
import { agentPageWords } from '../language/en/screens/agents.ts'
import type { Change } from '../live/change.ts'
import { AnyOf } from '../pieces/several.tsx'
import { Empty, NoMatch } from '../pieces/states/empty.tsx'
import { useMe } from '../session/use-me.ts'
import { ListTable } from '../table/list-table.tsx'
import { agentColumns } from './columns.tsx'
import type { NewAgentStep } from './form/steps.ts'
import { agentsRoute } from './route.tsx'

const NewAgent = lazy(() => loadPart(() => import('./form/new-agent.tsx')))

const isChangedBy = ({ type }: Change) => type.startsWith('VOICE_AGENT_')

export function AgentsScreen() {
  const { status, sort = 'CREATED_AT_DESC', new: step } = agentsRoute.useSearch()
  const navigate = useNavigate({ from: agentsRoute.fullPath })
  const { mayWrite, isGuest, isOff } = useMe()
  const filter = useMemo(() => ({ statusIn: status }), [status])
  const list = useConnection({
    document: VoiceAgentsDocument,
    variables: { filter, sort, first: 100 },
    pick: data => data.voiceAgents,
    isChangedBy,
  })
  const panel = usePanelAddress(
    step !== undefined,
    () => void navigate({ search: before => ({ ...before, new: undefined }), replace: true }),
  )
  const make = () => void navigate({ search: before => ({ ...before, new: 'choose' }), ...panel.opening })
  const choose = (next: NewAgentStep) => void navigate({ search: before => ({ ...before, new: next }), ...panel.opening })
  const show = (next: typeof status) => void navigate({ search: before => ({ ...before, status: next }), replace: true })
  const open = (agentId: string) => void navigate({ to: '/agents/$agentId', params: { agentId } })

  useShortcut('C', agentPageWords.newAgent, make, { isOn: mayWrite })
  const create = (
    <Button leftSection={<IconPlus />} disabled={isOff} onClick={make}>
      {isGuest ? agentPageWords.signUp : agentPageWords.newAgent}
    </Button>
  )
  return (
    <>
      <Header title={frameWords.places.agents} actions={create} />
      <DroppedFilters />
      <Toolbar>
        <AnyOf
          label={agentPageWords.columns.status}
          placeholder={agentPageWords.anyStatus}
          words={callWords.agentStatus}
          chosen={status}
          onChoose={show}
        />
      </Toolbar>
      <ListTable
        name="agents"
        label={frameWords.places.agents}
        columns={agentColumns}
        list={list}
        onOpen={({ id }) => open(id)}
        sort={sort}
        onSort={next => void navigate({ search: before => ({ ...before, sort: next as VoiceAgentSort }), replace: true })}
        empty={
          status ? (
            <NoMatch sentence={agentPageWords.noMatch} onClear={() => show(undefined)} />
          ) : (
            <Empty sentence={agentPageWords.empty} action={create} guide={{ href: '/docs/guides/voice', label: agentPageWords.guide }} />
          )
        }
      />
      <Panel isOpen={step !== undefined && mayWrite} isInAddress onClose={panel.close} title={agentWords.choose.title} isForm>
        <NewAgent step={step ?? 'choose'} onChoose={choose} onCancel={panel.close} onWritten={open} />
      </Panel>
    </>
  )
}
