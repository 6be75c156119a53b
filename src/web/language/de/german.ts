// German. Each part has the words of the English part of the same name.
//
// Nothing here imports a module of the app, except its types and `say`: such a module would run before the German words are there, and keep
// English ones, such as the names of columns.

import { programs } from './account/programs.ts'
import { signIn } from './account/sign-in.ts'
import { welcome } from './account/welcome.ts'
import { agents, agentTemplates } from './agents.ts'
import { assistant } from './assistant.ts'
import { calls, endedReasons } from './calls.ts'
import { companies } from './companies.ts'
import { contactBulk, contactFilters, contactList } from './contact-list.ts'
import { contacts, fields } from './contacts.ts'
import { board } from './deals/board.ts'
import { deals } from './deals/deals.ts'
import { dealFigures } from './deals/figures.ts'
import { recipes } from './enrichment/recipes.ts'
import { enrichment } from './enrichment.ts'
import { errors } from './errors.ts'
import { days, frame, nouns, people, settings, table, values } from './frame.ts'
import { home } from './home.ts'
import { inbox } from './inbox.ts'
import { exports } from './inputs/exports.ts'
import { imports } from './inputs/imports.ts'
import { record } from './record.ts'
import { agentPages } from './screens/agents.ts'
import { assistantPages } from './screens/assistant.ts'
import { callForm, callWait, verdict } from './screens/call-form.ts'
import { callPages } from './screens/calls.ts'
import { creditPages } from './screens/credits.ts'
import { duplicates } from './screens/duplicates.ts'
import { runPages } from './screens/runs.ts'
import { suggestionPages } from './screens/suggestions.ts'
import { talk } from './screens/talk.ts'
import { assignment } from './settings/assignment.ts'
import { callSettings } from './settings/calls.ts'
import { customFields } from './settings/custom-fields.ts'
import { embedding } from './settings/embedding.ts'
import { endpoints } from './settings/endpoints.ts'
import { keys } from './settings/keys.ts'
import { members } from './settings/members.ts'
import { notifications } from './settings/notifications.ts'
import { organization } from './settings/organization.ts'
import { pipelines } from './settings/pipelines.ts'
import { profile } from './settings/profile.ts'
import { sessions } from './settings/sessions.ts'
import { later, pieces, start } from './shared/pieces.ts'
import { viewBeside, viewForm, viewGone, viewMenus, views } from './shared/views.ts'
import { timeline } from './timeline.ts'
import { credits, tasks, webhooks } from './work.ts'

export const german: Readonly<Record<string, object>> = {
  ...{
    agents,
    agentTemplates,
    assistant,
    calls,
    board,
    companies,
    contacts,
    credits,
    dealFigures,
    deals,
    endedReasons,
    enrichment,
    errors,
    fields,
    exports,
    frame,
    home,
  },
  ...{
    assignment,
    days,
    inbox,
    notifications,
    nouns,
    people,
    pipelines,
    settings,
    signIn,
    tasks,
    contactBulk,
    contactFilters,
    contactList,
    recipes,
    record,
    table,
    timeline,
    values,
    webhooks,
  },
  ...{
    callSettings,
    customFields,
    embedding,
    endpoints,
    imports,
    keys,
    members,
    organization,
    profile,
    programs,
    sessions,
  },
  ...{
    agentPages,
    talk,
    assistantPages,
    callForm,
    callPages,
    callWait,
    creditPages,
    duplicates,
    later,
    pieces,
    runPages,
    start,
    suggestionPages,
    verdict,
    viewForm,
    viewGone,
    viewMenus,
    views,
    viewBeside,
    welcome,
  },
}
