import { invalidInput } from '@quire/errors';
import { roles } from '@quire/permissions';

/**
 * Which role people get who come by themselves. Nobody becomes an administrator so unless the installation says it
 * twice.
 */
export class DefaultRolePolicy {
  /** @param allowsAdmin as the site configuration says (`allowAdminDefaultRole`) */
  constructor(private readonly allowsAdmin: boolean) {}

  /** The role that a newcomer gets of a domain, whatever was stored for it. */
  cap(role: number): number {
    return Math.min(role, this.highest);
  }

  /** @throws QuireError VALIDATION_ERROR for a role that no domain gives. */
  assertAllowed(role: number | undefined): void {
    if (role === undefined || role <= this.highest) return;
    const message = `must be ${this.highest} at most: a higher role would make every user of the domain an administrator`;
    throw invalidInput([{ path: 'defaultRole', message }]);
  }

  private get highest(): number {
    return this.allowsAdmin ? roles.ADMIN : roles.EDITOR;
  }
}
