import { z } from 'zod';

const roleLevels = [10, 20, 30, 40, 50] as const;
const role = z.literal(roleLevels, { error: `must be a role level: ${roleLevels.join(', ')}` });

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Names that JavaScript moves to the front of an object: array indexes. */
const movedName = /^(?:0|[1-9]\d*)$/;

/** The origin of the access team. Plain http is allowed only for a fake on the same machine. */
const teamOrigin = z.string().transform((text, context) => {
  const address = text.includes('://') ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOrigin = url !== undefined && [`${url.origin}/`, url.origin].includes(address.toLowerCase());
  const mistake =
    !isOrigin || !/^https?:$/.test(url.protocol)
      ? 'must be a domain such as team.example.com'
      : url.protocol === 'http:' && !loopback.has(url.hostname)
        ? 'must be reached by https'
        : undefined;
  if (url !== undefined && mistake === undefined) return url.origin;
  context.addIssue({ code: 'custom', message: String(mistake) });
  return z.NEVER;
});

const roleMapping = z.record(z.string().min(1), role).superRefine((mapping, context) => {
  const names = Object.keys(mapping);
  const moved = names.find((name) => movedName.test(name));
  if (moved === undefined || names.length === 1) return;
  const message = `the group "${moved}" would not keep its place in the order: a name of digits only must be the only one`;
  context.addIssue({ code: 'custom', message });
});

/** Sign-in by an edge access proxy in front of `/_cms/*` (spec document 1, Edge access mode). */
export const edgeAccessSchema = z.strictObject({
  type: z.literal('edge-access'),
  /** Domain of the access team, which publishes its keys there. The parsed value is an origin. */
  teamDomain: teamOrigin,
  /** Audience tag that assertions must have. */
  audience: z.string().min(1).optional(),
  /** Environment variable with the audience, used without `audience`. */
  audienceEnvVar: z.string().min(1).default('EDGE_ACCESS_AUDIENCE'),
  /** Whether a user is created for an unknown e-mail address. */
  autoProvision: z.boolean().default(true),
  /** Role of users without a mapped group. */
  defaultRole: role.default(30),
  /** Whether groups determine the role at every sign-in, or only at the first. */
  syncRoles: z.boolean().default(false),
  /** Role levels by group. The first mapped group of a user applies. */
  roleMapping: roleMapping.optional(),
});

export type EdgeAccessOptions = z.output<typeof edgeAccessSchema>;
export type EdgeAccessInput = Omit<z.input<typeof edgeAccessSchema>, 'type'>;

/** Creates the `auth` option of cms.config.mjs for sign-in by an edge access proxy. */
export function edgeAccess(options: EdgeAccessInput): z.input<typeof edgeAccessSchema> {
  return { ...options, type: 'edge-access' };
}
