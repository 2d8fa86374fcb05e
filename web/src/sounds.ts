/** Short sounds, made here: a chip, a card, a win, and time that is nearly over. One tap silences them, and that is remembered. */
import { signal } from "@preact/signals";

const STORED = "punto.silent";

/** Whether the patron wants none. */
export const silent = signal(localStorage.getItem(STORED) === "true");

export function setSilent(to: boolean): void {
  if (to && "speechSynthesis" in window) speechSynthesis.cancel();
  localStorage.setItem(STORED, String(to));
  silent.value = to;
}

let context: AudioContext | null = null;

/** The way out for sounds; a browser has none before the first tap on the page. */
function speaker(): AudioContext | null {
  if (silent.value || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  void context.resume();
  return context;
}

/** A volume that sets in at once and fades out. */
function fading(audio: AudioContext, at: number, seconds: number, volume: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(audio.destination);
  return gain;
}

function tone(audio: AudioContext, hertz: number, after: number, seconds: number, volume: number): void {
  const at = audio.currentTime + after;
  const oscillator = audio.createOscillator();
  oscillator.type = "triangle";
  oscillator.frequency.value = hertz;
  oscillator.connect(fading(audio, at, seconds, volume));
  oscillator.start(at);
  oscillator.stop(at + seconds);
}

/** Something that rubs or clicks: noise around a pitch. */
function noise(audio: AudioContext, hertz: number, seconds: number, volume: number): void {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: hertz, Q: 0.8 });
  source.connect(filter).connect(fading(audio, audio.currentTime, seconds, volume));
  source.start();
}

const WIN = [523, 659, 784, 1047, 1319];

const SOUNDS = {
  chip: (audio: AudioContext) => {
    noise(audio, 3800, 0.05, 0.25);
    tone(audio, 2600, 0, 0.06, 0.05);
  },
  card: (audio: AudioContext) => noise(audio, 1500, 0.16, 0.18),
  win: (audio: AudioContext, notes: number) => WIN.slice(0, notes).forEach((hertz, place) => tone(audio, hertz, place * 0.09, 0.35, 0.08)),
  "nearly-over": (audio: AudioContext) => tone(audio, 880, 0, 0.12, 0.07),
} as const;

/** Play a sound; a win has as many notes as it is worth. */
export function play(sound: keyof typeof SOUNDS, notes = 4): void {
  const audio = speaker();
  if (audio) SOUNDS[sound](audio, notes);
}

/** Say a call aloud, in a voice of the browser; the one before it ends. */
export function say(words: string, language: string): void {
  if (silent.value || !navigator.userActivation?.hasBeenActive || !("speechSynthesis" in window)) return;
  const call = new SpeechSynthesisUtterance(words);
  call.lang = language === "en" ? "en-GB" : "zh-CN";
  speechSynthesis.cancel();
  speechSynthesis.speak(call);
}
