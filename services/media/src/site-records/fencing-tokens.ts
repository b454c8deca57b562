import { FencingTokens } from '@quire/site-records';

/** The newest lease of an import that writes records of this service. */
export const fencingTokens = new FencingTokens('media');
