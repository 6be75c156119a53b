// The checkbox that finishes a task in one action, in lists beside the table of tasks. On a phone it is as large as a finger.

import { Checkbox } from '@mantine/core'
import { taskWords } from '../language/en/tasks.ts'
import { useMe } from '../session/use-me.ts'
import classes from './finish-task.module.css'
import { type Completed, useComplete } from './use-complete.ts'

interface FinishTaskProps {
  task: Completed
  isDisabled?: boolean
  /** Called when the task is finished, and again with false when that is undone. */
  onFinished?: (isFinished: boolean) => void
}

export function FinishTask({ task, isDisabled = false, onFinished }: FinishTaskProps) {
  const { isOff } = useMe()
  const complete = useComplete()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox has the name; the label enlarges where it reacts.
    <label className={classes.place}>
      <Checkbox
        size="xs"
        classNames={{ input: classes.box, icon: classes.mark }}
        aria-label={taskWords.isDone(task.title)}
        checked={task.status !== 'OPEN'}
        disabled={isOff || isDisabled}
        onChange={() => complete(task, onFinished)}
      />
    </label>
  )
}
