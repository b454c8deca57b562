import { parseUrl } from '@quire/values';
import type { Block } from '../portable-text.js';

/** Hosts of services, by the name that blocks of the source give them. Subdomains belong to them. */
const providers: Readonly<Record<string, readonly string[]>> = {
  youtube: ['youtube.com', 'youtu.be', 'youtube-nocookie.com'],
  vimeo: ['vimeo.com'],
  twitter: ['twitter.com', 'x.com'],
  facebook: ['facebook.com', 'fb.watch'],
  instagram: ['instagram.com'],
  tiktok: ['tiktok.com'],
  spotify: ['spotify.com'],
  soundcloud: ['soundcloud.com'],
  mixcloud: ['mixcloud.com'],
  dailymotion: ['dailymotion.com', 'dai.ly'],
  flickr: ['flickr.com', 'flic.kr'],
  reddit: ['reddit.com'],
  tumblr: ['tumblr.com'],
  pinterest: ['pinterest.com', 'pin.it'],
  ted: ['ted.com'],
  issuu: ['issuu.com'],
  scribd: ['scribd.com'],
  slideshare: ['slideshare.net'],
  speakerdeck: ['speakerdeck.com'],
  kickstarter: ['kickstarter.com'],
  bluesky: ['bsky.app'],
  'wordpress-tv': ['wordpress.tv'],
};

const providerOfHost = new Map(
  Object.entries(providers).flatMap(([provider, hosts]) => hosts.map((host) => [host, provider])),
);

/** An embedded resource (contract section 3.2). */
export function embedBlock(
  url: string,
  properties: { provider?: string; html?: string; caption?: string; poster?: string } = {},
): Block {
  const provider = properties.provider ?? providerOf(url);
  return { _type: 'embed', url, ...properties, ...(provider === undefined ? {} : { provider }) };
}

/** The service at the host of an address, or undefined. */
export function providerOf(url: string): string | undefined {
  const labels = parseUrl(url)?.hostname.split('.') ?? [];
  for (let start = 0; start < labels.length - 1; start += 1) {
    const provider = providerOfHost.get(labels.slice(start).join('.'));
    if (provider !== undefined) return provider;
  }
  return undefined;
}
