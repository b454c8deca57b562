import { roles } from '@quire/permissions';

interface Person {
  id: string;
  role: number;
  disabled: boolean;
}

const isActiveAdmin = ({ role, disabled }: Person) => role === roles.ADMIN && !disabled;

/** Whether nobody else could administer the site. */
export function isLastAdmin(people: readonly Person[], id: string): boolean {
  const admins = people.filter(isActiveAdmin);
  return admins.length === 1 && admins[0]?.id === id;
}

/** Whether a user may administer others. */
export function canAdminister(people: readonly Person[], id: string): boolean {
  return people.some((person) => person.id === id && isActiveAdmin(person));
}
