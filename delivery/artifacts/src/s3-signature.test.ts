import { amzDate, authorizationOf, EMPTY_SHA256 } from './s3-signature.ts';

/** The example of the documentation, "GET Object". */
const key = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const request = {
  method: 'GET',
  path: '/test.txt',
  headers: {
    'x-amz-date': amzDate(new Date('2013-05-24T00:00:00.123Z')),
    'x-amz-content-sha256': EMPTY_SHA256,
    range: 'bytes=0-9',
    host: 'examplebucket.s3.amazonaws.com',
  },
};

test('signs as the documentation of S3 does', () => {
  expect(authorizationOf(request, key)).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, ' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test('another day, region or secret is another signature', () => {
  const signatures = [
    authorizationOf(request, key),
    authorizationOf(request, { ...key, secretAccessKey: 'renewed' }),
    authorizationOf(request, { ...key, region: 'eu-central-1' }),
    authorizationOf({ ...request, headers: { ...request.headers, 'x-amz-date': '20130525T000000Z' } }, key),
    authorizationOf(request, key),
  ].map((text) => text.replace(/.*Signature=/, ''));
  expect(new Set(signatures).size).toBe(4);
  expect(signatures[4]).toBe(signatures[0]);
});
