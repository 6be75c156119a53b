// A stage: a pill with a dot in its colour, and its word. It uses plain elements, because lists have hundreds.

import type { LifecycleStage } from '../../generated/schema.ts'
import { contactWords } from '../../language/en/contacts.ts'
import classes from './stage.module.css'

export const StageStatus = ({ stage }: { stage: LifecycleStage }) => (
  <span className={classes.stage} data-stage={stage}>
    <span className={classes.dot} aria-hidden="true" />
    {contactWords.stage[stage]}
  </span>
)
