import * as core from '@module-federation/runtime-tools/runtime-core';

/** Where entries of remotes look for it that were built with `externalRuntime`. */
Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: core });
