import { describe, expect, it } from 'vitest';
import { sessionBusAddress } from '../../../../src/core/credentials/keychain/dbusConnection.ts';

const pathOf = (env: Record<string, string>) => sessionBusAddress(env).socketPath;
const at = (address: string) => pathOf({ DBUS_SESSION_BUS_ADDRESS: address });

describe('the address of the session bus', () => {
  it.each([
    ['unix:path=/run/user/1000/bus', '/run/user/1000/bus'],
    ['unix:path=/tmp/dbus-x,guid=6f1e', '/tmp/dbus-x'],
    ['unix:guid=6f1e,path=/tmp/dbus-x', '/tmp/dbus-x'],
    ['unix:abstract=/tmp/dbus-x,guid=6f1e', '\0/tmp/dbus-x'],
    ['unix:path=/tmp/with%20space%2c%3b%c3%a9', '/tmp/with space,;é'],
    ['unix:path=/tmp/a=b', '/tmp/a=b'],
  ])('%s is read', (address, socketPath) => {
    expect(at(address)).toBe(socketPath);
  });

  it('may be several, of which the first local one is used', () => {
    expect(at('tcp:host=h,port=1;unix:path=/a;unix:abstract=b')).toBe('/a');
  });

  it('is XDG_RUNTIME_DIR/bus where none is given', () => {
    expect(pathOf({ XDG_RUNTIME_DIR: '/run/user/1000' })).toBe('/run/user/1000/bus');
    const address = sessionBusAddress({ DBUS_SESSION_BUS_ADDRESS: '', XDG_RUNTIME_DIR: '/tmp/a' });
    expect(address.text).toBe('unix:path=/tmp/a/bus');
    expect(() => sessionBusAddress({ XDG_RUNTIME_DIR: 'run' })).toThrow('XDG_RUNTIME_DIR');
  });

  it.each(['tcp:host=h,port=1', 'unix:path=%zz', 'unix:path=', 'unix:', 'nonsense', ';'])(
    'is not %s',
    (address) => {
      expect(() => at(address)).toThrow(expect.objectContaining({ state: 'absent' }));
    },
  );

  it('may be missing altogether', () => {
    expect(() => pathOf({})).toThrow(expect.objectContaining({ state: 'absent' }));
  });
});
