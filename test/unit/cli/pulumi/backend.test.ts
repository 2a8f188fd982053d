import { posix, win32 } from "node:path";
import { stateFolder } from "../../../../src/cli/pulumi/backend";

test.each([
  ["file://C:/state", "C:\\state\\.pulumi"],
  ["file:///C:/state", "C:\\state\\.pulumi"],
  ["file:///c:/my%20state?metadata=skip", "c:\\my state\\.pulumi"],
  ["file://C:\\Users\\ann\\state", "C:\\Users\\ann\\state\\.pulumi"],
  ["file://./state", "D:\\fleet\\state\\.pulumi"],
])("on Windows, %s is the folder %s", (url, folder) => {
  expect(stateFolder(url, "D:\\fleet", {}, win32)).toBe(folder);
});

test.each([
  ["file:///srv/state", "/srv/state/.pulumi"],
  ["file:///C:/state", "/C:/state/.pulumi"],
  ["file://state?no_tmp_dir=true", "/fleet/state/.pulumi"],
  ["s3://state", undefined],
])("elsewhere, %s is the folder %s", (url, folder) => {
  expect(stateFolder(url, "/fleet", {}, posix)).toBe(folder);
});
