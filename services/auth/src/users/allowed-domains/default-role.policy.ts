import { invalidInput } from '@quire/errors';
import { roles } from '@quire/permissions';

/**
 * The roles of users who sign up by themselves. Such users become administrators only if both the domain and the
 * installation allow it.
 */
export class DefaultRolePolicy {
  /** @param allowsAdmin `allowAdminDefaultRole` of the site configuration */
  constructor(private readonly allowsAdmin: boolean) {}

  /** Caps the stored default role of a domain. */
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
