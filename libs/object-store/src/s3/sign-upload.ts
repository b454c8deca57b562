import aws4 from 'aws4';
import type { SignedUpload, UploadConstraints } from '../port/object-store.js';
import type { S3Access } from './s3-requests.js';

/**
 * Signs an upload by a client. The signature covers content type and length, unlike that of the S3 client.
 * @param endpoint origin at which clients reach the store
 */
export function signUpload(
  { accessKey, secretKey, region, bucket }: S3Access,
  endpoint: string,
  key: string,
  { contentType, size, expiresSeconds }: UploadConstraints,
): SignedUpload {
  const { host, origin } = new URL(endpoint);
  const headers = { 'Content-Type': contentType };
  const { path } = aws4.sign(
    {
      service: 's3',
      region,
      host,
      method: 'PUT',
      path: `/${bucket}/${key}?X-Amz-Expires=${expiresSeconds}`,
      headers: { ...headers, 'Content-Length': String(size) },
      signQuery: true,
    },
    { accessKeyId: accessKey, secretAccessKey: secretKey },
  );
  // Every client sends the length of its body itself; browsers do not allow scripts to set it.
  return { url: `${origin}${path}`, method: 'PUT', headers };
}
