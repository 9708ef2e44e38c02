// An authorization server of another maker (oidc-provider, certified by the OpenID Foundation) on loopback.
// Its two clients are called like the algorithms that their tokens are signed with.
//
//   node provider.mjs PORT

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Provider } from 'oidc-provider';

const port = Number(process.argv[2]);
const pairs = { RS256: ['rsa', { modulusLength: 2048 }], ES256: ['ec', { namedCurve: 'P-256' }] };

const keys = Object.entries(pairs).map(([alg, [type, options]]) => ({
  ...generateKeyPairSync(type, options).privateKey.export({ format: 'jwk' }),
  alg,
  use: 'sig',
  kid: randomUUID(),
}));

const clients = Object.keys(pairs).map((name) => ({
  client_id: name,
  client_secret: 'proof',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
}));

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients,
  jwks: { keys },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_, resource, client) => ({
        scope: 'usage:read history:read',
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: client.clientId } },
      }),
    },
  },
});

provider.listen(port, '127.0.0.1', () => console.log('ready'));
