import { roles } from '@quire/permissions';

interface RoleHolder {
  id: string;
  role: number;
  disabled: boolean;
}

const isActiveAdmin = ({ role, disabled }: RoleHolder) => role === roles.ADMIN && !disabled;

/** Whether a user is the only active administrator. @param users the user and all active administrators */
export function isLastAdmin(users: readonly RoleHolder[], id: string): boolean {
  const admins = users.filter(isActiveAdmin);
  return admins.length === 1 && admins[0]?.id === id;
}

/** Whether a user is an active administrator. @param users the user and all active administrators */
export function canAdminister(users: readonly RoleHolder[], id: string): boolean {
  return users.some((user) => user.id === id && isActiveAdmin(user));
}
