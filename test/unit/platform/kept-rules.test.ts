import { TextField, validated } from '../../../src/http/index.js';

class Named {
  @TextField(1, 5)
  name!: string;
}

class Addressed extends Named {
  @TextField(1, 5)
  city!: string;
}

test('a class, and one that extends it, have the same rules at each validation', async () => {
  for (let round = 0; round < 2; round += 1) {
    await expect(validated(Named, { name: 'longer' })).rejects.toThrow();
    await expect(validated(Addressed, { city: 'Rome', name: 'longer' })).rejects.toThrow();
    await expect(validated(Addressed, { city: 'longer', name: 'Ada' })).rejects.toThrow();
    expect(await validated(Addressed, { city: 'Rome', name: 'Ada' })).toEqual({ city: 'Rome', name: 'Ada' });
    expect(await validated(Named, { name: 'Ada' })).toEqual({ name: 'Ada' });
  }
});
