// A text of an agent with fields of the contact in it: a menu inserts them, and a preview shows the text as one contact hears it.

import { Box, Button, Group, Menu, Text, Textarea } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useState } from 'react'
import type { WriteForm } from '../../forms/use-write-form.ts'
import { agentWords } from '../../language/en/agents.ts'
import { fieldLabel } from '../../language/values.ts'
import classes from './agent-form.module.css'
import type { AgentValues } from './agent-values.ts'
import { type Filling, filledText, hasPlaceholder, offered, unknownIn } from './placeholders.ts'
import type { CustomFieldOfContacts } from './use-filling.ts'

interface TextWithFieldsProps extends Pick<WriteForm<AgentValues>, 'form'> {
  name: 'instructions' | 'firstMessage'
  minRows: number
  filling: Filling
  customFields: readonly CustomFieldOfContacts[]
  /** The label of the preview, for a person. */
  preview(person: string): string
}

export function TextWithFields({ form, name, minRows, filling, customFields, preview }: TextWithFieldsProps) {
  const [text, setText] = useState(() => form.getValues()[name])
  form.watch(name, ({ value }) => setText(value ?? ''))
  const unknown = unknownIn(text, filling)
  const insert = (field: string) => {
    const input = form.getInputNode(name)
    if (!(input instanceof HTMLTextAreaElement)) return
    input.setRangeText(`{{${field}}}`, input.selectionStart, input.selectionEnd, 'end')
    // The form listens to the input, which tells of a change by this event.
    input.dispatchEvent(new Event('input', { bubbles: true }))
    // After the menu has given the focus back to its button.
    setTimeout(() => input.focus(), 100)
  }
  return (
    <Box>
      <Textarea
        label={agentWords.fields[name]}
        description={agentWords.help[name]}
        autosize
        minRows={minRows}
        maxRows={16}
        {...form.getInputProps(name)}
      />
      <Group gap="xs" mt={4} justify="space-between" align="flex-start" wrap="nowrap">
        <Text size="xs" c="dimmed" className={classes.preview} dir="auto">
          {hasPlaceholder(text) && (
            <>
              {preview(filling.person)}: <q>{filledText(text, filling)}</q>
            </>
          )}
        </Text>
        <Menu position="bottom-end" withinPortal shadow="md">
          <Menu.Target>
            <Button variant="subtle" size="compact-xs" leftSection={<IconBraces size={14} />} flex="none">
              {agentWords.insert}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
            {offered.map(field => (
              <Menu.Item key={field} onClick={() => insert(field)}>
                {fieldLabel(field)}
              </Menu.Item>
            ))}
            {customFields.map(({ key, label }) => (
              <Menu.Item key={key} onClick={() => insert(`custom.${key}`)}>
                {label}
              </Menu.Item>
            ))}
            <Menu.Label maw={240}>{agentWords.withFallback}</Menu.Label>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {unknown.length > 0 && (
        <Text size="xs" mt={2} className={classes.unknown} role="status">
          {agentWords.unknown(unknown.map(one => `{{${one}}}`).join(', '))}
        </Text>
      )}
    </Box>
  )
}
