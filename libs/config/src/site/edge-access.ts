import { z } from 'zod';

const roleLevels = [10, 20, 30, 40, 50] as const;
const role = z.literal(roleLevels, { error: `must be a role level: ${roleLevels.join(', ')}` });

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Names that JavaScript moves to the front of an object, whatever place they were written at. */
const movedName = /^(?:0|[1-9]\d*)$/;

/** The origin of the access team; plain http is for a stand-in on the same machine. */
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
  /** Domain of the access team, where its keys are published; as an origin when it is checked. */
  teamDomain: teamOrigin,
  /** Tag of the application that assertions must be made for. */
  audience: z.string().min(1).optional(),
  /** Environment variable that holds the audience when it is not given here. */
  audienceEnvVar: z.string().min(1).default('EDGE_ACCESS_AUDIENCE'),
  /** Whether a person who is new here becomes a user. */
  autoProvision: z.boolean().default(true),
  /** Role of those who are in no mapped group. */
  defaultRole: role.default(30),
  /** Whether groups decide the role at every sign-in, or only at the first. */
  syncRoles: z.boolean().default(false),
  /** Role levels by group; the first group of a person applies. */
  roleMapping: roleMapping.optional(),
});

export type EdgeAccessOptions = z.output<typeof edgeAccessSchema>;
export type EdgeAccessInput = Omit<z.input<typeof edgeAccessSchema>, 'type'>;

/** For the `auth` option of cms.config.mjs: an edge access proxy signs people in. */
export function edgeAccess(options: EdgeAccessInput): z.input<typeof edgeAccessSchema> {
  return { ...options, type: 'edge-access' };
}
