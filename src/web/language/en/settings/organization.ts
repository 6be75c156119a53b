// Words of the settings of an organization.

import { room } from '../../language.ts'

export const organizationWords = room('organization', {
  organizations: 'Organizations',
  leaveLoses: 'You lose access. The API keys and open invitations that you made there stop working. To return you need an invitation.',
  leaveVerb: 'Leave organization',
  this: 'This organization',
  id: 'ID of the organization, for support and for programs',
  theId: 'the ID of the organization',
  yours: 'Your organizations',
  oneAtATime: 'This browser works in one of them at a time.',
  new: 'New organization',
  current: 'Current',
  switch: 'Switch',
  leave: 'Leave',
  lastOwner: 'Its last owner cannot leave: hand it over first, under Members.',
  nameNeeded: 'Enter a name',
  isSaved: 'The organization is saved',
  name: 'Name',
  country: 'Country',
  countryHelp: 'Telephone numbers without a country code are read as numbers of this country.',
  notChosen: 'Not chosen',
  currency: 'Currency',
  currencyHelp: 'The currency of amounts. Until you choose one, it is the currency of the country.',
  save: 'Save',
  onlyAdmins: 'Owners and admins can change them.',
  create: 'Create organization',
  leaveQuestion: (name: string) => `Leave ${name}?`,
  switchTo: (name: string) => `Switch to ${name}`,
  leaveName: (name: string) => `Leave ${name}`,
  leaveThis: 'Leave the organization',
})
