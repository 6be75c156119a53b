// The moves of jobs and suggestions to another contact.

import { moveOf } from '../../contacts/merge/move.sql.ts'

export const moveJobs = moveOf('jobs_move', 'enrichment_jobs', false)
export const moveSuggestions = moveOf('suggestions_move', 'suggestions', false)
