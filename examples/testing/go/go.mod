module example.com/voiceplane-testing

go 1.22
