// For developers: the values to find out as the JSON of the API, folded away. A change of it changes the rows.

import { Box, Collapse, JsonInput, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { WriteForm } from '../../forms/use-write-form.ts'
import { agentWords } from '../../language/en/agents.ts'
import { fieldLabel } from '../../language/values.ts'
import type { AgentValues } from './agent-values.ts'
import { extractionOf, wantedOf } from './wanted.ts'

export function WantedAsJson({ form }: Pick<WriteForm<AgentValues>, 'form'>) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const open = () => {
    setText(JSON.stringify(extractionOf(form.getValues().extraction), null, 2))
    setWrong(false)
    setOpen(!isOpen)
  }
  const take = () => {
    const object = objectIn(text)
    setWrong(object === null)
    // `setValues`, because the rows render with the whole form.
    if (object) form.setValues({ extraction: wantedOf(object, fieldLabel) })
  }
  return (
    <Box>
      <UnstyledButton fz="sm" c="dimmed" aria-expanded={isOpen} onClick={open} style={{ display: 'flex', alignItems: 'center', gap: 4 }}>
        {isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
        {agentWords.advanced}
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <JsonInput
            mt="xs"
            label={agentWords.json}
            autosize
            minRows={3}
            maxRows={14}
            value={text}
            onChange={setText}
            onBlur={take}
            error={isWrong ? agentWords.jsonProblem : null}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        )}
      </Collapse>
    </Box>
  )
}

/** Null when the text is not a JSON object. */
function objectIn(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : null
  } catch {
    return null
  }
}
