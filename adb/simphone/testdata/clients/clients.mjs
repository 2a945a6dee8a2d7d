// Other people's ADB clients against a phone, verb by verb:
//
//   node clients.mjs CLIENT PORT SERIAL ADB
//
// CLIENT is adbkit, appium or yume; PORT is the adb server's; ADB the adb program. Each
// verb prints "ok VERB" or "not ok VERB: what came instead"; the exit code is the number
// of verbs that failed. The phone has the package com.example.stripes in front, or the one
// of TAPWISE_APP, on a screen of 270 x 585 pixels, and Android 14.
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";

const [client, portText, serial, adbPath] = process.argv.slice(2);
const port = Number(portText);
const app = process.env.TAPWISE_APP ?? "com.example.stripes";
const width = 270, height = 585;
const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 31 + (i >> 8)) & 255));

let failed = 0;

async function verb(name, run) {
  let timer;
  try {
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error("no end after 30 s")), 30_000); });
    await Promise.race([run(), late]);
    console.log(`ok ${name}`);
  } catch (err) {
    failed++;
    console.log(`not ok ${name}: ${String(err?.stack ?? err).split("\n").slice(0, 6).join(" | ")}`);
  } finally {
    clearTimeout(timer);
  }
}

async function all(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

function sizeOf(png) {
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

async function adbkit() {
  const { default: kit } = await import("@devicefarmer/adbkit");
  const host = (kit.Adb ?? kit).createClient({ host: "127.0.0.1", port });
  const device = host.getDevice(serial);
  const run = async (command) => (await all(await device.shell(command))).toString();

  await verb("list", async () => assert.deepEqual((await host.listDevices()).map((d) => [d.id, d.type]), [[serial, "device"]]));
  await verb("state", async () => assert.equal(await device.getState(), "device"));
  await verb("properties", async () => assert.equal((await device.getProperties())["ro.build.version.sdk"], "34"));
  await verb("features", async () => assert.ok((await device.getFeatures())["android.hardware.touchscreen"]));
  await verb("packages", async () => assert.ok((await device.getPackages()).includes(app)));
  await verb("is installed", async () => {
    assert.equal(await device.isInstalled(app), true);
    assert.equal(await device.isInstalled("com.example.none"), false);
  });
  await verb("shell", async () => assert.equal(await run(["echo", "a  b", "$HOME'"]), "a  b $HOME'\n"));
  await verb("exit code", async () => assert.equal(await run("sh -c 'exit 7'; echo $?"), "7\n"));
  await verb("push", async () => {
    const transfer = await device.push(path.join(await temporary(), "content"), "/sdcard/kit", 0o644);
    await new Promise((resolve, reject) => transfer.on("end", resolve).on("error", reject));
  });
  await verb("stat", async () => assert.equal((await device.stat("/sdcard/kit")).size, content.length));
  await verb("stat of nothing", async () => assert.rejects(() => device.stat("/sdcard/none"), { code: "ENOENT" }));
  await verb("pull", async () => assert.ok((await all(await device.pull("/sdcard/kit"))).equals(content)));
  await verb("readdir", async () => assert.ok((await device.readdir("/sdcard")).some((e) => e.name === "kit" && e.size === content.length)));
  await verb("screencap", async () => assert.deepEqual(sizeOf(await all(await device.screencap())), [width, height]));
  await verb("forward", async () => {
    await device.forward(`tcp:${port + 1}`, "tcp:1080");
    assert.equal((await device.listForwards()).at(-1).remote, "tcp:1080");
  });
  await verb("open a closed port", async () => assert.rejects(async () => all(await device.openTcp(1081))));
  await verb("start", async () => {
    await device.startActivity({ component: `${app}/.MainActivity` });
    assert.match(await run("dumpsys window | grep mCurrentFocus"), new RegExp(app));
  });
  await verb("clear", async () => assert.equal(await device.clear(app), true));
  await verb("install is refused", async () => assert.rejects(() => device.installRemote("/sdcard/kit"), /RESTRICTED/));
  await verb("logcat", async () => {
    const log = await device.openLogcat({ clear: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    log.end();
  });
  await verb("wait for boot", async () => device.waitBootComplete());
  await verb("reverse", async () => {
    await device.reverse("tcp:9991", "tcp:9992");
    assert.ok((await device.listReverses()).some((r) => r.remote === "tcp:9991" && r.local === "tcp:9992"));
  });
}

async function appium() {
  const { ADB } = await import("appium-adb");
  // It looks for adb in an SDK's folder only, unless it is told.
  const sdk = path.join(await temporary(), "sdk");
  await fs.mkdir(path.join(sdk, "platform-tools"), { recursive: true });
  await fs.symlink(adbPath, path.join(sdk, "platform-tools", "adb"));
  process.env.ANDROID_HOME = sdk;
  const adb = await ADB.createADB({ adbPort: port, udid: serial, suppressKillServer: true });
  adb.setDeviceId(serial);

  await verb("list", async () => assert.deepEqual((await adb.getConnectedDevices()).map((d) => [d.udid, d.state]), [[serial, "device"]]));
  await verb("shell", async () => assert.equal(await adb.shell(["echo", "one"]), "one"));
  await verb("exit code", async () => assert.rejects(() => adb.shell(["exit", "7"]), (err) => err.code === 7));
  await verb("API level", async () => assert.equal(await adb.getApiLevel(), 34));
  await verb("platform", async () => assert.equal(await adb.getPlatformVersion(), "14"));
  await verb("model", async () => assert.equal(await adb.getModel(), "Sim_Phone"));
  await verb("size", async () => assert.equal(await adb.getScreenSize(), `${width}x${height}`));
  await verb("density", async () => assert.equal(await adb.getScreenDensity(), 440));
  await verb("in front", async () => {
    const { appPackage, appActivity } = await adb.getFocusedPackageAndActivity();
    assert.deepEqual([appPackage, appActivity], [app, ".MainActivity"]);
  });
  await verb("is locked", async () => assert.equal(await adb.isScreenLocked(), false));
  await verb("push, pull", async () => {
    const folder = await temporary();
    await adb.push(path.join(folder, "content"), "/sdcard/appium");
    await adb.pull("/sdcard/appium", path.join(folder, "back"));
    assert.ok((await fs.readFile(path.join(folder, "back"))).equals(content));
  });
  await verb("stat", async () => assert.equal(await adb.fileSize("/sdcard/appium"), content.length));
  await verb("exists", async () => assert.deepEqual([await adb.fileExists("/sdcard/appium"), await adb.fileExists("/sdcard/none")], [true, false]));
  await verb("ls", async () => assert.ok((await adb.ls("/sdcard")).includes("appium")));
  await verb("screencap", async () => assert.deepEqual(sizeOf(await adb.takeScreenshot()), [width, height]));
  await verb("installed", async () => assert.deepEqual([await adb.isAppInstalled(app), await adb.isAppInstalled("com.example.none")], [true, false]));
  await verb("stop", async () => {
    await adb.forceStop(app);
    assert.equal(await adb.isAppRunning(app), false);
  });
  await verb("start", async () => {
    await adb.startApp({ pkg: app, activity: ".MainActivity", waitForLaunch: true, retry: false });
    assert.equal(await adb.isAppRunning(app), true);
  });
  await verb("a key", async () => adb.keyevent(4));
  await verb("settings", async () => {
    await adb.setSetting("system", "tapwise_test", "5");
    assert.equal(await adb.getSetting("system", "tapwise_test"), "5");
  });
  await verb("forward", async () => {
    await adb.forwardPort(port + 1, 1080);
    assert.ok((await adb.getForwardList()).some((line) => line.includes("tcp:1080")));
    await adb.removePortForward(port + 1);
  });
  await verb("logcat", async () => {
    await adb.startLogcat();
    await adb.stopLogcat();
  });
}

async function yume() {
  const { AdbServerClient } = await import("@yume-chan/adb");
  const { AdbServerNodeTcpConnector } = await import("@yume-chan/adb-server-node-tcp");
  const { ReadableStream } = await import("node:stream/web");
  const host = new AdbServerClient(new AdbServerNodeTcpConnector({ host: "127.0.0.1", port }));
  let adb;

  await verb("list", async () => assert.deepEqual((await host.getDevices()).map((d) => [d.serial, d.state]), [[serial, "device"]]));
  await verb("open", async () => { adb = await host.createAdb({ serial }); });
  await verb("property", async () => assert.equal(await adb.getProp("ro.build.version.sdk"), "34"));
  await verb("banner", async () => assert.equal(adb.banner.model, "Sim_Phone"));
  await verb("shell", async () => assert.equal(await adb.subprocess.noneProtocol.spawnWaitText("echo one"), "one\n"));
  await verb("streams, exit code", async () => {
    const result = await adb.subprocess.shellProtocol.spawnWaitText("echo out; echo err >&2; exit 7");
    assert.deepEqual([result.stdout, result.stderr, result.exitCode], ["out\n", "err\n", 7]);
  });
  await verb("stdin", async () => {
    const process = await adb.subprocess.shellProtocol.spawn("read a; echo got $a; exit 3");
    const writer = process.stdin.getWriter();
    await writer.write(Buffer.from("this\n"));
    assert.equal((await all(process.stdout)).toString(), "got this\n");
    assert.equal(await process.exited, 3);
  });
  await verb("kill", async () => {
    const process = await adb.subprocess.shellProtocol.spawn("sleep 1000");
    const exited = assert.rejects(process.exited); // its stream ends without an exit code
    await process.kill();
    await exited;
  });
  const sync = await adb.sync();
  await verb("push", async () => sync.write({
    filename: "/sdcard/yume", permission: 0o644, mtime: 1_700_000_000,
    file: new ReadableStream({ start(c) { c.enqueue(new Uint8Array(content)); c.close(); } }),
  }));
  await verb("stat", async () => {
    const stat = await sync.lstat("/sdcard/yume");
    assert.deepEqual([Number(stat.size), Number(stat.mtime)], [content.length, 1_700_000_000]);
  });
  await verb("is a directory", async () => assert.deepEqual([await sync.isDirectory("/sdcard"), await sync.isDirectory("/sdcard/yume")], [true, false]));
  await verb("pull", async () => assert.ok((await all(sync.read("/sdcard/yume"))).equals(content)));
  await verb("readdir", async () => assert.ok((await sync.readdir("/sdcard")).some((e) => e.name === "yume")));
  await sync.dispose();
  await verb("remove", async () => assert.equal(await adb.rm("/sdcard/yume"), ""));
  await verb("screencap", async () => {
    const process = await adb.subprocess.noneProtocol.spawn("screencap -p");
    assert.deepEqual(sizeOf(await all(process.output)), [width, height]);
  });
  await verb("a closed port", async () => assert.rejects(() => adb.createSocket("tcp:1081")));
  await verb("logcat", async () => {
    const process = await adb.subprocess.noneProtocol.spawn("logcat -d");
    assert.match((await all(process.output)).toString(), /beginning of main/);
  });
  await adb.close();
}

let folder;

// temporary is a folder of this run, with the content to push.
async function temporary() {
  if (!folder) {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), "tapwise-clients-"));
    await fs.writeFile(path.join(folder, "content"), content);
  }
  return folder;
}

await { adbkit, appium, yume }[client]();
if (folder) await fs.rm(folder, { recursive: true });
process.exit(failed);
