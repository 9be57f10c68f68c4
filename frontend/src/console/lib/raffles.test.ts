import { describe, expect, it } from 'vitest';
import { aRaffle } from '../../testing/console/builders';
import { nameRaffles, planterPath, raffleName } from './raffles';

const summerBox = aRaffle({ landingPage: 'summer-box', name: '', linkPrefix: 'r17' });

describe('what is known of raffles', () => {
  it('is what the server tells, whatever the keys are', () => {
    nameRaffles([aRaffle(), summerBox]);
    expect(planterPath('garden-bag', '2b4c')).toBe('/planter/garden-2b4c');
    expect(planterPath('summer-box', '2b4c')).toBe('/planter/r17-2b4c');
    expect(raffleName('summer-box')).toBe('summer-box');
  });

  it('leaves the page of an unknown raffle to the server', () => {
    nameRaffles([summerBox]);
    expect(planterPath('garden-bag', '2b4c')).toBe('/planter/2b4c');
  });
});
