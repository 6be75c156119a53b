// The menu of a widget: table, range, grouping, place, embedding, removal.

import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconChartBar, IconCheck, IconCode, IconDots, IconTable, IconTrash } from '@tabler/icons-react'
import { homeWords } from '../language/en/home.ts'
import { nounWords } from '../language/en/values.ts'
import { countText } from '../language/format.ts'
import { isOfDeals, rangeChoices, type WidgetKind, widgetKinds } from './kinds.ts'
import type { Widget, WidgetWrites } from './use-widget-writes.ts'

interface WidgetMenuProps {
  widget: Widget
  title: string
  mayArrange: boolean
  /** Only members may create keys of widgets. */
  mayEmbed: boolean
  isFirst: boolean
  isLast: boolean
  isTable: boolean
  onTable(): void
  onEmbed(): void
  writes: WidgetWrites
}

export function WidgetMenu({ widget, title, mayArrange, mayEmbed, isFirst, isLast, isTable, onTable, onEmbed, writes }: WidgetMenuProps) {
  const { id, kind, rangeDays, groupBy, per } = widget
  const { ranges, groupings, isPlain }: WidgetKind = widgetKinds[kind]
  const hasTable = per !== null || kind === 'ANSWER_RATE' || isOfDeals(kind)
  const check = (isOn: boolean) => (isOn ? <IconCheck aria-label={homeWords.menu.chosen} /> : null)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={homeWords.menu.of(title)}>
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {hasTable && (
          <Menu.Item leftSection={isTable ? <IconChartBar /> : <IconTable />} onClick={onTable}>
            {isTable ? homeWords.menu.chart : homeWords.menu.table}
          </Menu.Item>
        )}
        {ranges && <Menu.Label>{homeWords.menu.range}</Menu.Label>}
        {ranges &&
          rangeChoices.map(days => (
            <Menu.Item
              key={days}
              disabled={!mayArrange}
              rightSection={check(rangeDays === days)}
              onClick={() => void writes.set({ id, rangeDays: days })}
            >
              {days === 365 ? homeWords.menu.year : countText(days, nounWords.day)}
            </Menu.Item>
          ))}
        {groupings.length > 0 && <Menu.Label>{homeWords.menu.countBy}</Menu.Label>}
        {groupings.length > 0 && isPlain && (
          <Menu.Item disabled={!mayArrange} rightSection={check(groupBy === null)} onClick={() => void writes.set({ id, groupBy: null })}>
            {homeWords.menu.dayOnly}
          </Menu.Item>
        )}
        {groupings.map(one => (
          <Menu.Item
            key={one}
            disabled={!mayArrange}
            rightSection={check(groupBy === one)}
            onClick={() => void writes.set({ id, groupBy: one })}
          >
            {homeWords.menu.by(homeWords.grouping[one])}
          </Menu.Item>
        ))}
        <Menu.Label>{homeWords.menu.widget}</Menu.Label>
        <Menu.Item leftSection={<IconArrowLeft />} disabled={!mayArrange || isFirst} onClick={() => void writes.move(widget, -1)}>
          {homeWords.menu.forward}
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowRight />} disabled={!mayArrange || isLast} onClick={() => void writes.move(widget, 1)}>
          {homeWords.menu.back}
        </Menu.Item>
        <Menu.Item leftSection={<IconCode />} disabled={!mayEmbed} onClick={onEmbed}>
          {mayEmbed ? homeWords.menu.embed : homeWords.menu.embedForMembers}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash />} disabled={!mayArrange} onClick={() => void writes.remove(widget)}>
          {homeWords.menu.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
