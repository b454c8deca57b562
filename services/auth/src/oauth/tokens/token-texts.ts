import { randomBytes } from 'node:crypto';

const accessTokenPrefix = 'ec_oat_';
const refreshTokenPrefix = 'ec_ort_';
const randomByteCount = 32;

export const accessTokenSeconds = 3600;
export const refreshTokenDays = 90;

/** 32 random bytes as text: codes, and what follows the prefix of tokens (contract 4). */
export const newSecret = (): string => randomBytes(randomByteCount).toString('base64url');

export const newAccessToken = (): string => accessTokenPrefix + newSecret();
export const newRefreshToken = (): string => refreshTokenPrefix + newSecret();
