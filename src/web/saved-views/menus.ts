// What the menu of views loads when somebody reaches for it: one part, because its menus share their items.

export { ChangeView } from './change.tsx'
export { ChooseView } from './choose.tsx'
export { SaveChanges } from './save-changes.tsx'
