/** Role levels (spec document 1, Roles). On the wire a role is its number. */
export const roles = { SUBSCRIBER: 10, CONTRIBUTOR: 20, AUTHOR: 30, EDITOR: 40, ADMIN: 50 } as const;

export type RoleName = keyof typeof roles;
export type Role = (typeof roles)[RoleName];

/** The role of a level, or undefined for another number. */
export function roleNamed(level: number): RoleName | undefined {
  return (Object.keys(roles) as RoleName[]).find((name) => roles[name] === level);
}
