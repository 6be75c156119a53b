// The parts of the menu of views that load at its first use: one chunk, because its menus share their items.

export { ChangeView } from './change.tsx'
export { ChooseView } from './choose.tsx'
export { SaveChanges } from './save-changes.tsx'
