// GraphQL: the records of a timeline's entry. Apart from the entry, because the types of the records have timelines.

import { builder } from '../../graphql/schema/builder.ts'
import { recordRefOutputs } from '../records/hanging/hanging.graphql.ts'
import { TimelineEntryType } from './timeline.graphql.ts'

builder.objectFields(TimelineEntryType, t => recordRefOutputs(t, 'shows it in its timeline'))
